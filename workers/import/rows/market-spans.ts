// Rows of a file that is sorted by market: spans of one market, which may begin in one row group and end in another.

import type { ByteCells } from '../parquet-file.ts'

/** Rows [start, end) of one row group. */
export type Slice<Columns> = { columns: Columns; start: number; end: number }

/** `begins`: `group:row`. */
export type Span<Columns> = { market: string; begins: string; slices: Slice<Columns>[] }

/** Where in the markets of a row group one ends and another begins. */
export function marketsIn(cells: ByteCells, from: number, nameOf: (cell: Uint8Array) => string) {
  const found: { market: string; start: number; end: number }[] = []
  let cellBefore: Uint8Array | null | undefined
  for (let row = from; row < cells.length; row++) {
    const cell = cells[row]
    const last = found.at(-1)
    if (last !== undefined && cell === cellBefore) {
      last.end = row + 1
      continue
    }
    cellBefore = cell
    const market = cell === null || cell === undefined ? '' : nameOf(cell)
    if (last?.market === market) last.end = row + 1
    else found.push({ market, start: row, end: row + 1 })
  }
  return found
}

/** The rows of a span in ascending order of `timeOf`; those of one time keep the order that they have. */
export function* byTime<Columns>(
  { slices }: Span<Columns>,
  timeOf: (columns: Columns, row: number) => number,
): Generator<{ columns: Columns; row: number }> {
  const total = slices.reduce((sum, { start, end }) => sum + end - start, 0)
  const times = new Float64Array(total)
  const order = new Uint32Array(total)
  let at = 0
  let isSorted = true
  for (const { columns, start, end } of slices) {
    for (let row = start; row < end; row++, at++) {
      times[at] = timeOf(columns, row)
      order[at] = at
      if (at > 0 && times[at]! < times[at - 1]!) isSorted = false
    }
  }
  if (!isSorted) order.sort((one, other) => times[one]! - times[other]! || one - other)
  const firsts: number[] = []
  at = 0
  for (const { start, end } of slices) {
    firsts.push(at)
    at += end - start
  }
  for (const place of order) {
    let slice = slices.length - 1
    while (place < firsts[slice]!) slice--
    yield { columns: slices[slice]!.columns, row: slices[slice]!.start + place - firsts[slice]! }
  }
}
