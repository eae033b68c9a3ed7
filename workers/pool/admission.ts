// Decides which answers the threads work on and which requests wait in the one queue. Limits small answers by number,
// and large answers by the memory that they need while they are computed, so a small answer never waits for many
// large answers. The answer of a slow client is stored packed, and frees its room for others. Packed answers are
// limited by number and size: beyond the limits, the answer that has stalled longest is cut.

import { DataError } from '../../storage/failures.ts'

export type Admitted = {
  /** Time since which the client of the answer has not read the bytes that are ready, in ms; null while the client
   *  reads them, or if no bytes are ready. */
  readonly stalledSinceMs: number | null
  /** Releases everything; the client's connection breaks. */
  cut(): void
}

export type AdmissionLimits = {
  /** Maximum number of small answers in progress. */
  small: number
  /** Maximum number of bytes of large answers in progress. One answer of any weight may enter if no other large
   *  answer is in progress. */
  largeBytes: number
  /** Maximum number of answers of slow clients. */
  slow: number
  /** Maximum number of packed bytes of slow clients' answers. One answer of any size may stay if there is no other. */
  slowBytes: number
  /** Maximum number of waiting requests. */
  queue: number
}

/** Share of the queue that large answers may fill. */
const LARGE_SHARE = 3 / 4

type Waiting = { answer: Admitted; bytes: number; enter: () => void; refuse: (error: DataError) => void }

export class Admission {
  readonly #limits: AdmissionLimits
  /** Answers in progress, with their weights. */
  readonly #admittedBytes = new Map<Admitted, number>()
  /** Answers of slow clients, with their packed bytes. */
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

  /** Admits an answer. Returns undefined if there is room immediately, else a promise that resolves when there is room.
   *  A small answer weighs 0 bytes. Throws DataError('overloaded'). */
  enter(answer: Admitted, bytes: number): Promise<void> | undefined {
    if (!this.#queue.some((waiting) => isLarge(waiting.bytes) === isLarge(bytes)) && this.#hasRoom(bytes)) {
      this.#take(answer, bytes)
      return undefined
    }
    if (!this.#mayWait(bytes)) throw new DataError('overloaded', 'Too many requests are being answered')
    return new Promise((enter, refuse) => this.#queue.push({ answer, bytes, enter, refuse }))
  }

  /** Notes that an answer's client is slow, and that the answer is packed in this many bytes. */
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

  /** Refuses all waiting requests. */
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
    this.#admittedBytes.set(answer, bytes)
    if (isLarge(bytes)) this.#largeBytes += bytes
    else this.#smallCount++
  }

  #release(answer: Admitted): boolean {
    const bytes = this.#admittedBytes.get(answer)
    if (bytes === undefined) return false
    this.#admittedBytes.delete(answer)
    if (isLarge(bytes)) this.#largeBytes -= bytes
    else this.#smallCount--
    return true
  }

  /** Cuts the slow answer that has stalled longest; there must be a slow answer. If several have stalled equally
   *  long, cuts the latest. */
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

  /** Admits waiting requests in order, but small answers may pass large answers that have no room. */
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
