// Reads a large market a few rows at a time. Rows with ascending times form a run, which is read from first to last
// row. In a sorted file, each token is one run.

import type { RowGroup, RowRange } from '../parquet/row-group.ts'
import { RowWindow, WindowRoom } from '../parquet/row-window.ts'
import type { Slice } from './columns.ts'

/** Maximum number of runs. Each run has its own readers and arrays. */
const RUNS_MAX = 8

type RunFormat<Of> = {
  windowRows: number
  columns(window: RowWindow): Of
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
    for (const window of windowsOf(group, this.#range, this.#format.windowRows)) {
      const { start, end } = window.range
      const columns = this.#format.columns(window)
      yield { columns, firstRow: this.#firstRow + start, start: 0, end: end - start }
    }
  }
}

/** Returns the runs of ascending times in a range of rows; undefined if there are too many, or if a row has no time. */
export function runsIn(
  group: RowGroup,
  range: RowRange,
  { windowRows, times }: { windowRows: number; times(window: RowWindow): Float64Array },
): RowRange[] | undefined {
  const starts = [range.start]
  let last = Number.NEGATIVE_INFINITY
  for (const window of windowsOf(group.again(), range, windowRows)) {
    const found = times(window)
    for (let i = 0; i < found.length; i++) {
      if (found[i]! < last) starts.push(window.range.start + i)
      last = found[i]!
      if (Number.isNaN(last)) return undefined
    }
    if (starts.length > RUNS_MAX) return undefined
  }
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? range.end }))
}

function* windowsOf(group: RowGroup, range: RowRange, windowRows: number): Generator<RowWindow> {
  const room = new WindowRoom()
  for (let { start } = range; start < range.end; start += windowRows) {
    yield new RowWindow(group, { start, end: Math.min(start + windowRows, range.end) }, room)
  }
}
