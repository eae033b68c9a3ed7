// Which answers the threads have in hand, and which requests wait: one queue. Small answers are counted, large ones
// weighed by the memory that they take while they are made, so a small one never waits for many large ones. An answer
// whose client is slow is kept packed and gives its room to others. Their number is bounded too, and what they are
// packed in: beyond it the answer that was waited for longest is cut.

import { DataError } from '../../storage/failures.ts'

export type Admitted = {
  /** Since when there is something for the client that it does not take; null while it does, or nothing is ready. */
  readonly stalledSinceMs: number | null
  /** Releases everything; the client's connection breaks. */
  cut(): void
}

export type AdmissionLimits = {
  /** Small answers in hand. */
  small: number
  /** Bytes of large answers in hand. One of any weight has room where no other is. */
  largeBytes: number
  /** Answers of slow clients. */
  slow: number
  /** What these were packed in. One of any size has room where no other is. */
  slowBytes: number
  /** Requests that wait. */
  queue: number
}

/** Of the queue, that large answers may fill. */
const LARGE_SHARE = 3 / 4

type Waiting = { answer: Admitted; bytes: number; enter: () => void; refuse: (error: DataError) => void }

export class Admission {
  readonly #limits: AdmissionLimits
  /** Answers in hand, with their weights. */
  readonly #inHand = new Map<Admitted, number>()
  /** With the bytes that they were packed in. */
  readonly #slow = new Map<Admitted, number>()
  readonly #queue: Waiting[] = []
  #smallCount = 0
  #largeBytes = 0
  #slowBytes = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  get queued(): number {
    return this.#queue.length
  }

  /** Undefined where there is room at once, else a promise of it. A small answer weighs 0 bytes. Throws
   *  DataError('overloaded'). */
  enter(answer: Admitted, bytes: number): Promise<void> | undefined {
    if (!this.#queue.some((waiting) => isLarge(waiting.bytes) === isLarge(bytes)) && this.#hasRoom(bytes)) {
      this.#take(answer, bytes)
      return undefined
    }
    if (!this.#mayWait(bytes)) throw new DataError('overloaded', 'Too many requests are being answered')
    return new Promise((enter, refuse) => this.#queue.push({ answer, bytes, enter, refuse }))
  }

  /** The client of an answer is slow, and the answer is packed in so many bytes. */
  slow(answer: Admitted, bytes: number): void {
    if (!this.#release(answer)) return
    this.#slow.set(answer, bytes)
    this.#slowBytes += bytes
    const { slow, slowBytes } = this.#limits
    while (this.#slow.size > slow || (this.#slowBytes > slowBytes && this.#slow.size > 1)) this.#cutLongest(answer)
    this.#admit()
  }

  leave(answer: Admitted): void {
    this.#forget(answer)
    this.#release(answer)
    this.#admit()
  }

  /** Refuses those who wait. */
  close(): void {
    for (const { refuse } of this.#queue.splice(0)) refuse(new DataError('overloaded', 'The server is stopping'))
  }

  #mayWait(bytes: number): boolean {
    const { queue } = this.#limits
    if (this.#queue.length >= queue) return false
    return !isLarge(bytes) || this.#queue.filter((waiting) => isLarge(waiting.bytes)).length < queue * LARGE_SHARE
  }

  #hasRoom(bytes: number): boolean {
    if (!isLarge(bytes)) return this.#smallCount < this.#limits.small
    return this.#largeBytes === 0 || this.#largeBytes + bytes <= this.#limits.largeBytes
  }

  #take(answer: Admitted, bytes: number): void {
    this.#inHand.set(answer, bytes)
    if (isLarge(bytes)) this.#largeBytes += bytes
    else this.#smallCount++
  }

  #release(answer: Admitted): boolean {
    const bytes = this.#inHand.get(answer)
    if (bytes === undefined) return false
    this.#inHand.delete(answer)
    if (isLarge(bytes)) this.#largeBytes -= bytes
    else this.#smallCount--
    return true
  }

  /** One slow answer at least. The last that came is cut before others that are waited for as long. */
  #cutLongest(last: Admitted): void {
    let longest = this.#slow.has(last) ? last : this.#slow.keys().next().value!
    for (const each of this.#slow.keys()) {
      if ((each.stalledSinceMs ?? Infinity) < (longest.stalledSinceMs ?? Infinity)) longest = each
    }
    this.#forget(longest)
    longest.cut()
  }

  #forget(answer: Admitted): void {
    this.#slowBytes -= this.#slow.get(answer) ?? 0
    this.#slow.delete(answer)
  }

  /** In turn, but for small ones, which pass large ones that have no room. */
  #admit(): void {
    let isLargeFull = false
    for (let at = 0; at < this.#queue.length; ) {
      const waiting = this.#queue[at]!
      const { answer, bytes, enter } = waiting
      if (this.#hasRoom(bytes) && !(isLarge(bytes) && isLargeFull)) {
        this.#queue.splice(at, 1)
        this.#take(answer, bytes)
        enter()
        continue
      }
      isLargeFull ||= isLarge(bytes)
      if (isLargeFull && !this.#hasRoom(0)) return
      at++
    }
  }
}

const isLarge = (bytes: number) => bytes > 0
