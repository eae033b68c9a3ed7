// Reads a large market a few rows at a time. Rows with ascending times form a run, which is read from first to last
// row. In a sorted file, each token is one run.

import type { RowGroup, RowRange } from '../parquet/row-group.ts'
import type { Slice } from './columns.ts'

/** Maximum number of runs. Each run has its own readers and arrays. */
const RUNS_MAX = 8

type RunFormat<Of> = {
  windowRows: number
  columns(group: RowGroup, range: RowRange): Of
}

export class LongRun<Of> {
  readonly #group: RowGroup
  readonly #format: RunFormat<Of>
  readonly #range: RowRange
  readonly #firstRow: number

  /** `firstRow` is the file's number of row 0 of the row group, from 1. */
  constructor(group: RowGroup, format: RunFormat<Of>, range: RowRange, firstRow: number) {
    this.#group = group
    this.#format = format
    this.#range = range
    this.#firstRow = firstRow
  }

  /** Yields the rows in order. Each slice is valid until the next one. Throws ArchiveFault. */
  *slices(): Generator<Slice<Of>> {
    const group = this.#group.again()
    for (const window of windowsOf(this.#range, this.#format.windowRows)) {
      const { start, end } = window
      const columns = this.#format.columns(group, window)
      yield { columns, firstRow: this.#firstRow + start, start: 0, end: end - start }
    }
  }
}

/** Returns the runs of ascending times in a range of rows; undefined if there are too many runs, or a row has no
 *  time. */
export function runsIn(
  group: RowGroup,
  range: RowRange,
  { windowRows, times }: { windowRows: number; times(group: RowGroup, range: RowRange): Float64Array },
): RowRange[] | undefined {
  const starts = [range.start]
  let last = Number.NEGATIVE_INFINITY
  const rows = group.again()
  for (const window of windowsOf(range, windowRows)) {
    const found = times(rows, window)
    for (let i = 0; i < found.length; i++) {
      if (found[i]! < last) starts.push(window.start + i)
      last = found[i]!
      if (Number.isNaN(last)) return undefined
    }
    if (starts.length > RUNS_MAX) return undefined
  }
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? range.end }))
}

function* windowsOf(range: RowRange, windowRows: number): Generator<RowRange> {
  for (let { start } = range; start < range.end; start += windowRows) {
    yield { start, end: Math.min(start + windowRows, range.end) }
  }
}
