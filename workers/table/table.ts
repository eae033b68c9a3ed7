// A table: what a computation answers with, and what encoders turn into bytes. Rows come in chunks of columns. Many
// rows repeat the one before them but for their time, so rows and values are apart: a row is a time, and the entry of
// the columns that holds its values.

/** How a value is held, always as a double:
 *  - `whole`: a whole number, within ±2^51;
 *  - `flag`: 0 or 1;
 *  - `places`: a decimal as a whole number of 10^-places;
 *  - `double`: itself, finite;
 *  - `names`: an index into texts that the whole table shares;
 *  - `text`: an index into the texts of the chunk, for what hardly repeats. */
export type ColumnType = 'whole' | 'flag' | 'double' | 'text' | { places: number } | { names: readonly string[] }

/** Columns of a group stand side by side, and are one key in JSON: an object of them, a list of their values, or a list
 *  of levels, `[[price, size], …]`. The columns of levels are a price and a size in turn; the first null ends them. */
export type Group = { name: string; key: string } | { name: string; list: 'values' | 'levels' }

export type Column = {
  /** In CSV, Arrow and Parquet; in JSON too, where the column is in no group. */
  name: string
  group?: Group
  /** `nothing` makes the list of its group an empty one, which only JSON has: no chunk is asked for its values. */
  type: ColumnType | 'nothing'
  isNullable: boolean
}

export type Table = {
  /** Texts that all rows share, such as the market. JSON says them beside the rows. */
  constants: readonly Constant[]
  /** Of the rows' times in texts; other formats have milliseconds. */
  timestampUnit: 'ms' | 's'
  columns: readonly Column[]
  chunks: Iterator<TableChunk>
}

/** `among` are all texts that it has in one of many tables that are one answer, each once. */
export type Constant = { name: string; text: string; among?: readonly string[] }

/** One of many tables that are one answer (joined-tables.ts). */
export type TablePart = {
  /** What stands before all rows stands before its rows. */
  isFirst: boolean
  /** Of each constant all texts that it has in one of them, each once. */
  texts: Readonly<Record<string, readonly string[]>>
}

/** Stands for null. No price, size or count comes near it. */
export const NULL = Number.MIN_SAFE_INTEGER

/** Only good until the next is taken. */
export interface TableChunk {
  readonly rowCount: number
  readonly timestampsMs: Float64Array
  readonly entryCount: number
  /** Of each row its entry. They begin with 0 and grow by at most one, so as many entries as rows are one each. */
  readonly entries: Int32Array
  /** The values of a column, one an entry. They are made when they are asked for: no work for what nobody wants. */
  values(column: number): Float64Array
  /** What the values of a `text` column are indexes into. */
  texts(column: number): Texts
}

/** Text i is arena[offsets[i] .. offsets[i + 1]), in UTF-8. */
export type Texts = { arena: Uint8Array; offsets: Uint32Array }
export const NO_TEXTS: Texts = { arena: new Uint8Array(0), offsets: new Uint32Array(1) }

export const TIMESTAMP = 'timestamp'

/** Names of the columns as flattened formats have them, in their order. */
export const columnNames = (
  columns: readonly Pick<Column, 'name' | 'type'>[],
  constants: readonly Pick<Constant, 'name'>[],
  hasTimestamp = true,
): string[] =>
  [...constants, ...(hasTimestamp ? [{ name: TIMESTAMP }] : []), ...columns.filter(hasValues)].map(({ name }) => name)

export const hasValues = <Any extends Pick<Column, 'type'>>(column: Any): column is Any & { type: ColumnType } =>
  column.type !== 'nothing'

/** The double nearest to a value, and null for null. The column holds no texts. */
export function numberOf({ type }: Column, value: number): number | boolean | null {
  if (value === NULL) return null
  if (type === 'flag') return value === 1
  return typeof type === 'object' && 'places' in type ? value / 10 ** type.places : value
}
