// Finds records that a capture repeats because files with the same messages were joined (docs/time-and-order.md).

import { dateOf, type TimedRecord } from '../event-time.ts'
import { identity, tradeIdOf } from '../merge.ts'

/** Returns the runs of one capture without repeats. A date has as many copies of a record as the run with the most
 *  copies, and a run as many as its stretch with the most. Records of different stretches are equal only if they have
 *  the same time of receipt and the same number of gaps of the book before them. */
export function withoutRepeats(runs: TimedRecord[][]): TimedRecord[][] {
  const dates = new Map<string, Repeats>()
  return runs.map((run) => {
    const unique: TimedRecord[] = []
    for (const record of run) {
      const date = dateOf(record.timestamp)
      const repeats = dates.get(date) ?? new Repeats()
      dates.set(date, repeats)
      if (!repeats.isRepeat(record)) unique.push(record)
      else if (unique.length > 0 && dateOf(unique.at(-1)!.timestamp) === date)
        unique[unique.length - 1] = { ...unique.at(-1)!, isBeforeNext: false }
    }
    return unique
  })
}

/** Counts the records of a date: by run, and within the current run by stretch. */
class Repeats {
  readonly #runs: Counts[] = [new Map()]
  #stretches: Counts[] = [new Map()]
  #gaps: (string | null)[] = []
  #last: TimedRecord | undefined

  isRepeat(record: TimedRecord): boolean {
    const last = this.#last
    this.#last = record
    const beginsRun = last !== undefined && record.timestamp < last.timestamp
    if (beginsRun) {
      this.#runs.push(new Map())
      this.#stretches = []
    }
    if (beginsRun || (last !== undefined && record.stretch !== last.stretch)) {
      this.#stretches.push(new Map())
      this.#gaps = []
    }
    if (tradeIdOf(record) !== null) return false
    const gaps = this.#gaps.filter((book) => book === record.book || book === null).length
    const key = [identity(record), gaps].join(' ')
    if (record.type === 'gap') this.#gaps.push(record.book)
    return addTo(this.#stretches, `${key} ${record.receivedAt}`) || addTo(this.#runs, key)
  }
}

type Counts = Map<string, number>

/** Counts a key in the last part. Returns whether an earlier part has the key at least as often. */
function addTo(parts: Counts[], key: string): boolean {
  const last = parts.at(-1)!
  const times = (last.get(key) ?? 0) + 1
  last.set(key, times)
  return parts.slice(0, -1).some((part) => (part.get(key) ?? 0) >= times)
}
