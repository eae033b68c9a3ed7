// Answers that are kept by name: asked for once, told to whoever draws when they are there, and given up, the longest
// unused first, beyond a number of bytes. A failure is kept too, until somebody asks again.

import { type Signal, signal } from '@preact/signals'
import { attempts } from '../state/again.ts'
import type { Failure } from './failure.ts'

export type Entry<T> = {
  value: T | null
  failure: Failure | null
  /** Another answer is on its way: this one is of before. */
  isOld?: boolean
}

type Slot<T> = {
  entry: Signal<Entry<T>>
  abort: AbortController | null
  bytes: number
  owners: Set<object>
  /** To be asked for again when somebody takes it. */
  isStale: boolean
  isRenewing: boolean
}

export class Kept<T> {
  readonly #slots = new Map<string, Slot<T>>()
  readonly #bytesMax: number
  readonly #bytesOf: (value: T) => number
  /** Read by whoever takes something, so that they take it anew once it was forgotten, or is stale. */
  readonly #forgotten = signal(0)
  #bytes = 0
  #attempt = attempts.peek()

  constructor(bytesMax: number, bytesOf: (value: T) => number) {
    this.#bytesMax = bytesMax
    this.#bytesOf = bytesOf
  }

  /** What is kept of a name: asked for where it is not, and read as a signal, so that a component that draws it is
   *  drawn again. */
  take(name: string, load: (signal: AbortSignal) => Promise<T>): Entry<T> {
    if (attempts.value !== this.#attempt) {
      this.#attempt = attempts.value
      for (const [other, { entry }] of this.#slots) if (entry.peek().failure !== null) this.#slots.delete(other)
    }
    this.#forgotten.value
    const slot = this.#slots.get(name) ?? this.#begin(name, load)
    this.#slots.delete(name)
    this.#slots.set(name, slot)
    if (slot.isStale && !slot.isRenewing && slot.abort === null) this.#renew(name, slot, load)
    const { value } = slot.entry
    return slot.isRenewing || slot.isStale ? { ...value, isOld: true } : value
  }

  /** What is kept of a name, if it is there. It is not asked for. */
  peek(name: string): T | null {
    return this.#slots.get(name)?.entry.peek().value ?? null
  }

  /** All that is there of names that begin so. */
  *startingWith(text: string): Generator<[name: string, value: T]> {
    for (const [name, { entry }] of this.#slots) {
      const { value } = entry.peek()
      if (value !== null && name.startsWith(text)) yield [name, value]
    }
  }

  /** Says which names `owner` wants from now on. What it wanted before, and nobody wants any more, is asked for no
   *  longer. What nobody ever said to want is left alone. */
  want(owner: object, names: ReadonlySet<string>): void {
    for (const [name, slot] of this.#slots) {
      if (names.has(name)) slot.owners.add(owner)
      else if (slot.owners.delete(owner) && slot.owners.size === 0 && slot.abort !== null) {
        slot.abort.abort()
        this.#slots.delete(name)
      }
    }
  }

  /** Forgets names, so that whoever takes them asks again. */
  forget(matches: (name: string) => boolean): void {
    let count = 0
    for (const [name, slot] of this.#slots) {
      if (!matches(name)) continue
      slot.abort?.abort()
      this.#bytes -= slot.bytes
      this.#slots.delete(name)
      count++
    }
    if (count > 0) this.#forgotten.value++
  }

  /** Says that names have other answers now. Whoever takes them asks again, and has the old answer until then. `value`
   *  is null of what has not been answered, or failed. */
  renew(matches: (name: string, value: T | null) => boolean): void {
    for (const [name, slot] of this.#slots) if (matches(name, slot.entry.peek().value)) slot.isStale = true
    this.#forgotten.value++
  }

  #renew(name: string, slot: Slot<T>, load: (signal: AbortSignal) => Promise<T>): void {
    slot.isStale = false
    slot.isRenewing = true
    load(new AbortController().signal).then(
      (value) => {
        slot.isRenewing = false
        this.#finish(name, slot, value)
      },
      () => {
        // What cannot be renewed stays as it was. Whoever waits for the other answer is told.
        slot.isRenewing = false
        slot.entry.value = { ...slot.entry.peek() }
      },
    )
  }

  #begin(name: string, load: (signal: AbortSignal) => Promise<T>): Slot<T> {
    const abort = new AbortController()
    const entry = signal<Entry<T>>({ value: null, failure: null })
    const slot: Slot<T> = { entry, abort, bytes: 0, owners: new Set(), isStale: false, isRenewing: false }
    this.#slots.set(name, slot)
    load(abort.signal).then(
      (value) => this.#finish(name, slot, value),
      (failure: Failure) => {
        slot.abort = null
        if (!abort.signal.aborted) slot.entry.value = { value: null, failure }
      },
    )
    return slot
  }

  #finish(name: string, slot: Slot<T>, value: T): void {
    if (this.#slots.get(name) !== slot) return
    slot.abort = null
    this.#bytes -= slot.bytes
    slot.bytes = this.#bytesOf(value)
    this.#bytes += slot.bytes
    slot.entry.value = { value, failure: null }
    for (const [other, { abort, bytes }] of this.#slots) {
      if (this.#bytes <= this.#bytesMax) break
      if (abort !== null || other === name) continue
      this.#bytes -= bytes
      this.#slots.delete(other)
    }
  }
}
