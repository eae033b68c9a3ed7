// The test double of the engines of rows: a sorted array.

import {
  ALL_ROWS,
  hasRevision,
  type KeyRange,
  type LocalRows,
  type RangePage,
  type Row,
  type RowCommit,
  type RowKey,
} from '../../../storage/rows/rows.ts'

export class MemoryRows implements LocalRows {
  readonly #rows: Row[] = []

  read(key: RowKey): Uint8Array | undefined {
    return this.#value(key)?.slice()
  }

  async get(keys: readonly RowKey[]): Promise<(Uint8Array | undefined)[]> {
    return keys.map((key) => this.read(key))
  }

  /** Returns the stored rows themselves. */
  list({ from, to }: KeyRange): Row[] {
    return this.#rows.slice(this.#indexOf(from), this.#indexOf(to))
  }

  async range({ limit, isReversed = false, ...range }: RangePage): Promise<Row[]> {
    const found = this.list(range)
    if (isReversed) found.reverse()
    return found.slice(0, limit).map(({ key, value }) => ({ key, value: value.slice() }))
  }

  async keys({ offset = 0, limit, ...range }: RangePage & { offset?: number }): Promise<RowKey[]> {
    return (await this.range({ ...range, limit: offset + limit })).slice(offset).map(({ key }) => key)
  }

  async count({ from, to }: KeyRange, limit = ALL_ROWS): Promise<number> {
    return Math.min(limit, this.#indexOf(to) - this.#indexOf(from))
  }

  async commit({ expect, put, remove }: RowCommit): Promise<number[]> {
    const changed = expect.flatMap(({ key, revision }, index) =>
      hasRevision(this.#value(key), revision) ? [] : [index],
    )
    if (changed.length > 0) return changed
    for (const { key, value } of put) this.#splice(key, { key, value: value.slice() })
    for (const key of remove) this.#splice(key)
    return []
  }

  refresh(): void {}

  #value(key: RowKey): Uint8Array | undefined {
    const row = this.#rows[this.#indexOf(key)]
    return row !== undefined && row.key === key ? row.value : undefined
  }

  #splice(key: RowKey, ...rows: Row[]): void {
    this.#rows.splice(this.#indexOf(key), this.#value(key) === undefined ? 0 : 1, ...rows)
  }

  /** Returns the index of the first row whose key is not smaller. */
  #indexOf(key: RowKey): number {
    let [low, high] = [0, this.#rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#rows[middle]!.key < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
