// Records of many markets in one order: by event time, then by the order of the markets. Within a market the order is
// its own. A binary heap of markets, the one whose record is next on top.

import type { MarketRecords } from './market-records.ts'

/** What the order follows from. */
export type Merged = Pick<MarketRecords, 'timeMs' | 'order' | 'state' | 'advance'>

export class MergedRecords<T extends Merged = MarketRecords> {
  readonly #heap: T[] = []
  readonly #loading = new Set<T>()

  /** Markets whose records have not all been taken. */
  get count(): number {
    return this.#heap.length + this.#loading.size
  }

  /** Whether a record that is not known yet could be next. */
  get isLoading(): boolean {
    return this.#loading.size > 0
  }

  /** The market whose record is next, where that is known. */
  get first(): T | undefined {
    return this.#loading.size > 0 ? undefined : this.#heap[0]
  }

  /** A market that is new, or that has its next page. */
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

  /** Moves the first market on by a record. */
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
