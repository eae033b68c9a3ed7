// Rows of one row group by column, and copies of some rows that outlive the row group.

import type { ListColumn, WordColumn } from '../parquet/row-group.ts'
import type { RowSide } from './row-values.ts'

export type Column = Float64Array | BigUint64Array | WordColumn | ListColumn

export type Columns = Record<string, Column>

/** Rows [start, end) of columns. `firstRow` is the row number in the file, from 1, of row 0 of the columns. */
export type Slice<Of> = { columns: Of; firstRow: number; start: number; end: number }

/** Copies the rows [start, end). The copy shares the words. */
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

/** Converts times of any unit to whole ms, in place. */
export function inMs(times: Float64Array, unitsInMs: number): Float64Array {
  if (unitsInMs > 1) for (let i = 0; i < times.length; i++) times[i] = Math.floor(times[i]! / unitsInMs)
  return times
}

/** Returns one side of a book in a row; undefined if a level has no price or no size. */
export function sideOf(prices: ListColumn, sizes: ListColumn, at: number): RowSide | undefined {
  const [start, end] = [prices.starts[at]!, prices.starts[at + 1]!]
  if (sizes.starts[at] !== start || sizes.starts[at + 1] !== end) return undefined
  for (let i = start; i < end; i++) if (!(prices.values[i]! >= 0 && sizes.values[i]! >= 0)) return undefined
  return { prices: prices.values.subarray(start, end), sizes: sizes.values.subarray(start, end) }
}
