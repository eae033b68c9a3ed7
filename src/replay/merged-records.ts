// Merges the records of many markets by event time, then by the order of the markets; records of one market keep their
// order. Markets are sorted by their next records, latest first, so the market with the next record is the last one.

import type { MarketRecords } from './market-records.ts'

/** The parts of a market's records that the order needs. */
export type Merged = Pick<MarketRecords, 'timeMs' | 'order' | 'state' | 'advance'>

export class MergedRecords<T extends Merged = MarketRecords> {
  /** The market with the next record is the last one. */
  readonly #ready: T[] = []
  readonly #loading = new Set<T>()

  /** Whether a market is loading. The next record is then not known. */
  get isLoading(): boolean {
    return this.#loading.size > 0
  }

  /** The market with the next record; undefined if there is none or a market is loading. */
  get first(): T | undefined {
    return this.#loading.size > 0 ? undefined : this.#ready.at(-1)
  }

  /** Adds a market that is new or has loaded its next page. */
  add(records: T): void {
    this.#loading.delete(records)
    if (records.state === 'loading') this.#loading.add(records)
    if (records.state !== 'ready') return
    let [from, to] = [0, this.#ready.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (isBefore(records, this.#ready[middle]!)) from = middle + 1
      else to = middle
    }
    this.#ready.splice(from, 0, records)
  }

  remove(records: T): void {
    this.#loading.delete(records)
    const at = this.#ready.indexOf(records)
    if (at >= 0) this.#ready.splice(at, 1)
  }

  /** Moves the first market to its next record. */
  advance(): void {
    const records = this.#ready.pop()!
    records.advance()
    this.add(records)
  }
}

const isBefore = (a: Merged, b: Merged): boolean => a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.order < b.order)
