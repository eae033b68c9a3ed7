// Merges the records of many markets by event time, then by the order of the markets; records of one market keep their
// order. It is a binary heap of markets with the next record on top.

import type { MarketRecords } from './market-records.ts'

/** The parts of a market's records that the order needs. */
export type Merged = Pick<MarketRecords, 'timeMs' | 'order' | 'state' | 'advance'>

export class MergedRecords<T extends Merged = MarketRecords> {
  readonly #heap: T[] = []
  readonly #loading = new Set<T>()

  /** Number of markets that still have records. */
  get count(): number {
    return this.#heap.length + this.#loading.size
  }

  /** Whether a market is loading, so that the next record is not known. */
  get isLoading(): boolean {
    return this.#loading.size > 0
  }

  /** The market with the next record; undefined if there is none or a market is loading. */
  get first(): T | undefined {
    return this.#loading.size > 0 ? undefined : this.#heap[0]
  }

  /** Adds a market that is new or has loaded its next page. */
  add(records: T): void {
    this.#loading.delete(records)
    if (records.state === 'loading') this.#loading.add(records)
    if (records.state !== 'ready') return
    this.#heap.push(records)
    this.#rise(this.#heap.length - 1)
  }

  remove(records: T): void {
    this.#loading.delete(records)
    const at = this.#heap.indexOf(records)
    if (at < 0) return
    const last = this.#heap.pop()!
    if (last === records) return
    this.#heap[at] = last
    this.#sink(at)
    this.#rise(at)
  }

  /** Moves the first market to its next record. */
  advance(): void {
    const records = this.#heap[0]!
    records.advance()
    if (records.state === 'ready') return this.#sink(0)
    this.remove(records)
    this.add(records)
  }

  #rise(from: number): void {
    const heap = this.#heap
    const records = heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(records, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = records
  }

  #sink(from: number): void {
    const heap = this.#heap
    const records = heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, records)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = records
  }
}

const isBefore = (a: Merged, b: Merged): boolean => a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.order < b.order)
