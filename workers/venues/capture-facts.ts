// Collects facts that need the messages of all markets of a capture: holes in sequence numbers, and stretches.

import { SequenceHoles } from './sequence-holes.ts'

/** A new stretch begins if receive times step back by more than this. Smaller steps are jitter of the recorder. */
const RECEIPT_STEP_MS = 1_000
/** The same limit for the venue's times, used if a capture has no receive times. Event times jitter more. */
const SENT_STEP_MS = 60_000
/** If a clock steps back more often, and in more than 1 of 100 messages, the capture has several feeds in turn. */
const FEW_STRETCHES = 16
const MESSAGES_PER_STRETCH_MIN = 100
/** Limits the memory for stretches. */
const STRETCHES_MAX = 1 << 20

export class CaptureFacts {
  readonly holes = new SequenceHoles()
  /** Whether the capture is a recorder's segment. The recorder's connections overlap, and it writes a gap where
   *  messages are missing. */
  isSegment = false
  readonly #own = new Stretches()
  readonly #ofArchives = new Map<string, Stretches>()

  /** Returns the stretches of the records of one source; undefined is the user's own. */
  stretchesOf(source: string | undefined): Stretches {
    if (source === undefined) return this.#own
    const known = this.#ofArchives.get(source)
    if (known !== undefined) return known
    const stretches = new Stretches()
    this.#ofArchives.set(source, stretches)
    return stretches
  }
}

/** Finds the stretches of one source's records in a capture. A stretch begins where the clock of these records steps
 *  back. At such a place, a file with the same messages may have been appended. */
export class Stretches {
  /** Numbers of the messages with which stretches begin, ascending. */
  readonly #starts: number[] = []
  #messages = 0
  #receivedMs = Number.NEGATIVE_INFINITY
  #sentMs = Number.NEGATIVE_INFINITY

  /** Whether the stretches come from joined files, not from several feeds in turn. Final only at the end of the
   *  capture. */
  get isSound(): boolean {
    const { length } = this.#starts
    return length <= FEW_STRETCHES || length * MESSAGES_PER_STRETCH_MIN <= this.#messages
  }

  /** Notes the times of a message, Unix ms; NaN if unknown. `message` is the number of the message in the capture. */
  note(message: number, receivedMs: number, sentMs: number): void {
    this.#messages++
    const isBack = receivedMs < this.#receivedMs - RECEIPT_STEP_MS || sentMs < this.#sentMs - SENT_STEP_MS
    if (isBack) {
      if (this.#starts.length < STRETCHES_MAX) this.#starts.push(message)
      this.#receivedMs = Number.NEGATIVE_INFINITY
      this.#sentMs = Number.NEGATIVE_INFINITY
    }
    if (receivedMs > this.#receivedMs) this.#receivedMs = receivedMs
    if (sentMs > this.#sentMs) this.#sentMs = sentMs
  }

  /** Returns the number of the stretch that a message is in, from 0. */
  of(message: number): number {
    const starts = this.#starts
    let [low, high] = [0, starts.length]
    if (high === 0 || starts[high - 1]! <= message) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= message) low = middle + 1
      else high = middle
    }
    return low
  }
}
