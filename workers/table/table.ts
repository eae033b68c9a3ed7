// A table: what a computation answers with, and what encoders turn into bytes. Rows come in chunks of columns. Many
// rows repeat the one before them but for their time, so rows and values are apart: a row is a time, and the entry of
// the columns that holds its values.

/** How a value is held: a whole number, a flag as 0 or 1, or a decimal as a whole number of 10^-places. */
export type ColumnType = 'whole' | 'flag' | { places: number }

export type Column = {
  name: string
  /** In JSON the column is a key of this object; else of the row itself. */
  group?: { name: string; key: string }
  type: ColumnType
  isNullable: boolean
}

export type Table = {
  /** Texts that all rows share, such as the market. JSON says them beside the rows. */
  constants: readonly { name: string; text: string }[]
  /** Of the rows' times in texts; other formats have milliseconds. */
  timestampUnit: 'ms' | 's'
  columns: readonly Column[]
  chunks: Iterator<TableChunk>
}

/** Stands for null. No price, size or count comes near it. */
export const NULL = Number.MIN_SAFE_INTEGER

/** Only good until the next is taken. */
export type TableChunk = {
  rowCount: number
  timestampsMs: Float64Array
  entries: Int32Array
  /** Of each entry the values of all columns, one after the other. */
  values: Float64Array
}

/** The double nearest to a value, and null for null. */
export function numberOf({ type }: Column, value: number): number | boolean | null {
  if (value === NULL) return null
  if (type === 'flag') return value === 1
  return type === 'whole' ? value : value / 10 ** type.places
}
