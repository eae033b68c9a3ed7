// Rows of one row group by columns, and the copy of some of them for when the row group is let go.

import type { ListColumn, WordColumn } from '../parquet/row-group.ts'

export type Column = Float64Array | BigUint64Array | WordColumn | ListColumn

export type Columns = Record<string, Column>

/** Rows [start, end) of columns. `firstRow` is that of row 0 of them in the file, from 1 on. */
export type Slice<Of> = { columns: Of; firstRow: number; start: number; end: number }

/** Rows from `start` to before `end`. Words are shared. */
export function rowsOf<Of extends Columns>(columns: Of, start: number, end: number): Of {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, part(column, start, end)])) as Of
}

function part(column: Column, start: number, end: number): Column {
  if (column instanceof Float64Array || column instanceof BigUint64Array) return column.slice(start, end)
  if ('places' in column) return { places: column.places.slice(start, end), words: column.words }
  const first = column.starts[start]!
  return {
    starts: column.starts.slice(start, end + 1).map((at) => at - first),
    values: column.values.slice(first, column.starts[end]!),
  }
}

/** Times of any unit as ms: all of them are whole then. */
export function inMs(times: Float64Array, unitsInMs: number): Float64Array {
  if (unitsInMs > 1) for (let i = 0; i < times.length; i++) times[i] = Math.floor(times[i]! / unitsInMs)
  return times
}
