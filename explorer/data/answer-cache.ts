// A cache of answers by name: requests each answer once, notifies the components that read it, and evicts the least
// recently used answers beyond a number of bytes. Failures are cached too, until the reader retries.

import { type Signal, signal } from '@preact/signals'
import { attempts } from '../state/again.ts'
import type { Failure } from './failure.ts'

export type Entry<T> = {
  value: T | null
  failure: Failure | null
  /** Whether this is the previous answer, while a newer one is being loaded. */
  isOld?: boolean
}

type Slot<T> = {
  entry: Signal<Entry<T>>
  abort: AbortController | null
  bytes: number
  owners: Set<object>
  /** Whether the next `take` requests the answer again. */
  isStale: boolean
  isRenewing: boolean
}

export class AnswerCache<T> {
  readonly #slots = new Map<string, Slot<T>>()
  readonly #bytesMax: number
  readonly #bytesOf: (value: T) => number
  /** Every reader of the cache subscribes to this signal, so that it reads again after an answer was forgotten or
   *  marked stale. */
  readonly #forgotten = signal(0)
  #bytes = 0
  #attempt = attempts.peek()

  constructor(bytesMax: number, bytesOf: (value: T) => number) {
    this.#bytesMax = bytesMax
    this.#bytesOf = bytesOf
  }

  /** Returns the cached entry of a name and requests it if it is missing. Reads a signal: a component that draws the
   *  entry is drawn again when it changes. */
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

  /** Returns the cached value of a name, or null. Sends no request. */
  peek(name: string): T | null {
    return this.#slots.get(name)?.entry.peek().value ?? null
  }

  /** Yields all loaded values whose names begin with `text`. */
  *startingWith(text: string): Generator<[name: string, value: T]> {
    for (const [name, { entry }] of this.#slots) {
      const { value } = entry.peek()
      if (value !== null && name.startsWith(text)) yield [name, value]
    }
  }

  /** Sets the names that `owner` wants from now on. Cancels pending requests that it no longer wants and that no other
   *  owner wants. Never cancels a request that no owner ever wanted. */
  want(owner: object, names: ReadonlySet<string>): void {
    for (const [name, slot] of this.#slots) {
      if (names.has(name)) slot.owners.add(owner)
      else if (slot.owners.delete(owner) && slot.owners.size === 0 && slot.abort !== null) {
        slot.abort.abort()
        this.#slots.delete(name)
      }
    }
  }

  /** Removes entries, so that their readers request them again. */
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

  /** Marks entries as stale. The next reader requests them again, and gets the old answer until the new one arrives.
   *  `matches` receives a null value if the entry has not been answered or has failed. */
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
        // If the renewal fails, the old answer stays. Setting the entry notifies readers that wait for the new one.
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
