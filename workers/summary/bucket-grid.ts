// Buckets of R seconds, aligned to 00:00:00 UTC of their day. The last bucket of a day may be shorter. Bucket numbers
// grow by one from bucket to bucket, also over midnight.

import { DAY_MS, SECOND_MS } from '../../storage/units.ts'

export class BucketGrid {
  readonly resolutionSeconds: number
  readonly #resolutionMs: number
  readonly #perDay: number

  constructor(resolutionSeconds: number) {
    this.resolutionSeconds = resolutionSeconds
    this.#resolutionMs = resolutionSeconds * SECOND_MS
    this.#perDay = Math.ceil(DAY_MS / this.#resolutionMs)
  }

  /** Returns the number of the bucket at an instant. */
  numberAt(timeMs: number): number {
    const day = Math.floor(timeMs / DAY_MS)
    return day * this.#perDay + Math.floor((timeMs - day * DAY_MS) / this.#resolutionMs)
  }

  /** Returns the number of the first bucket that starts at or after an instant. */
  firstFrom(timeMs: number): number {
    const number = this.numberAt(timeMs)
    return this.startMs(number) === timeMs ? number : number + 1
  }

  startMs(number: number): number {
    const day = Math.floor(number / this.#perDay)
    return day * DAY_MS + (number - day * this.#perDay) * this.#resolutionMs
  }

  /** Returns the end of a bucket, which is the start of the next. */
  endMs(number: number): number {
    return this.startMs(number + 1)
  }
}
