// Finds records that a capture repeats because files with the same messages were joined (docs/time-and-order.md).

import { dateOf, type TimedRecord } from '../event-time.ts'
import { identity, tradeIdOf } from '../merge.ts'

/** Returns the runs of one capture without repeats. A date keeps a record as often as the run that has it most often,
 *  and a run as often as its stretch that does. Two records of two stretches are equal only if they have the same
 *  receipt and follow as many gaps of the book. */
export function withoutRepeats(runs: TimedRecord[][]): TimedRecord[][] {
  const dates = new Map<string, Repeats>()
  return runs.map((run) => {
    const kept: TimedRecord[] = []
    for (const record of run) {
      const date = dateOf(record.timestamp)
      const repeats = dates.get(date) ?? new Repeats()
      dates.set(date, repeats)
      if (!repeats.isRepeat(record)) kept.push(record)
      else if (kept.length > 0 && dateOf(kept.at(-1)!.timestamp) === date)
        kept[kept.length - 1] = { ...kept.at(-1)!, isBeforeNext: false }
    }
    return kept
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

/** Counts a key in the last part. Returns whether an earlier part has the key as often. */
function addTo(parts: Counts[], key: string): boolean {
  const last = parts.at(-1)!
  const times = (last.get(key) ?? 0) + 1
  last.set(key, times)
  return parts.slice(0, -1).some((part) => (part.get(key) ?? 0) >= times)
}
