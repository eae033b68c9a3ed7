// Which answers the threads work on, which requests wait for that, and which answers only wait for their clients. Those
// hold no slot: however many slow clients there are, a short request does not wait for them. What they keep in memory
// is bounded by their number: beyond it the answer that was waited for longest is cut. Large answers have slots of
// their own, so that no short request waits for the making of many.

import { DataError } from '../../storage/failures.ts'

export type Answering = {
  /** Since when there is something for the client that it does not take; null while it does, or nothing is ready. */
  readonly stalledSinceMs: number | null
  /** Lets go of everything; the client's connection breaks. */
  cut(): void
}

export type SlotLimits = {
  working: number
  /** Whether one more request may wait, when so many do. */
  mayWait: (queued: number) => boolean
  /** Answers that may wait for their clients. */
  stalled: number
}

/** A client that takes nothing for so long is waited for without a slot. */
const STALLED_MS = 100

export class AnswerSlots {
  readonly #limits: SlotLimits
  readonly #nowMs: () => number
  readonly #working = new Set<Answering>()
  readonly #stalled = new Set<Answering>()
  readonly #queue: { answering: Answering; enter: () => void; refuse: (error: DataError) => void }[] = []
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(limits: SlotLimits, nowMs = () => performance.now()) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  get queued(): number {
    return this.#queue.length
  }

  /** Undefined where there is a slot at once, else a promise of one. Throws DataError('overloaded'). */
  enter(answering: Answering): Promise<void> | undefined {
    if (this.#working.size >= this.#limits.working) this.#letStalledGo()
    if (this.#working.size < this.#limits.working) {
      this.#working.add(answering)
      return undefined
    }
    if (!this.#limits.mayWait(this.#queue.length)) {
      throw new DataError('overloaded', 'Too many requests are being answered')
    }
    this.#timer ??= setInterval(() => this.#letStalledGo(), STALLED_MS)
    return new Promise((enter, refuse) => this.#queue.push({ answering, enter, refuse }))
  }

  leave(answering: Answering): void {
    this.#stalled.delete(answering)
    this.#working.delete(answering)
    this.#admit()
  }

  /** Refuses those who wait. */
  close(): void {
    for (const { refuse } of this.#queue.splice(0)) refuse(new DataError('overloaded', 'The server is stopping'))
    this.#admit()
  }

  #letStalledGo(): void {
    const beforeMs = this.#nowMs() - STALLED_MS
    for (const answering of this.#working) {
      if (!isStalled(answering, beforeMs)) continue
      if (this.#stalled.size >= this.#limits.stalled) this.#cutLongest(answering)
      if (this.#working.delete(answering)) this.#stalled.add(answering)
    }
    this.#admit()
  }

  /** Of all that wait for their clients, `last` among them. */
  #cutLongest(last: Answering): void {
    let longest = last
    for (const each of this.#stalled) {
      if ((each.stalledSinceMs ?? Infinity) < (longest.stalledSinceMs ?? Infinity)) longest = each
    }
    this.#stalled.delete(longest)
    this.#working.delete(longest)
    longest.cut()
  }

  #admit(): void {
    while (this.#queue.length > 0 && this.#working.size < this.#limits.working) {
      const { answering, enter } = this.#queue.shift()!
      this.#working.add(answering)
      enter()
    }
    if (this.#queue.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const isStalled = ({ stalledSinceMs }: Answering, beforeMs: number) =>
  stalledSinceMs !== null && stalledSinceMs <= beforeMs
