// A table is what a computation returns and encoders turn into bytes. Rows come in chunks of columns. Many rows differ
// from the one before only in their time, so rows and values are separate: a row is a time and the index of the entry
// that holds its values.

/** How a value is held, always as a double:
 *  - `whole`: an integer within ±2^51;
 *  - `flag`: 0 or 1;
 *  - `places`: a decimal as an integer of 10^-places;
 *  - `double`: itself, finite;
 *  - `names`: an index into texts that the whole table shares;
 *  - `text`: an index into the texts of the chunk, for texts that rarely repeat. */
export type ColumnType = 'whole' | 'flag' | 'double' | 'text' | { places: number } | { names: readonly string[] }

/** Adjacent columns that share one key in JSON. The key holds an object of the columns, a list of their values, or a
 *  list of levels, `[[price, size], …]`. The columns of levels alternate between price and size, and the first null
 *  ends the list. */
export type Group = { name: string; key: string } | { name: string; list: 'values' | 'levels' }

export type Column = {
  /** Name in CSV, Arrow and Parquet; in JSON too, if the column is in no group. */
  name: string
  group?: Group
  /** A `nothing` column makes the list of its group empty. Only JSON has such a list. The values of the column are
   *  never requested from chunks. */
  type: ColumnType | 'nothing'
  isNullable: boolean
}

export type Table = {
  /** Texts that all rows share, such as the market. In JSON they are fields of the answer, not of each row. */
  constants: readonly Constant[]
  /** Unit of the rows' times in text formats; other formats use milliseconds. */
  timestampUnit: 'ms' | 's'
  columns: readonly Column[]
  chunks: Iterator<TableChunk>
}

/** A text that all rows share. If one answer has many tables, `among` has all texts of this constant in these tables,
 *  each once. */
export type Constant = { name: string; text: string; among?: readonly string[] }

/** One of many tables that form one answer (joined-tables.ts). */
export type TablePart = {
  /** Whether this is the first table. Only the first table writes the header. */
  isFirst: boolean
  /** For each constant, by name, all its texts in the tables, each once. */
  texts: Readonly<Record<string, readonly string[]>>
}

/** Stands for null. No price, size or count comes near it. */
export const NULL = Number.MIN_SAFE_INTEGER

/** A chunk of rows. It is valid until the next chunk is taken. */
export interface TableChunk {
  readonly rowCount: number
  readonly timestampsMs: Float64Array
  readonly entryCount: number
  /** The index of each row's entry; neighbouring rows may share an entry. The index is 0 for the first row and grows
   *  by 0 or 1 with each row. So if there are as many entries as rows, each row has its own entry. */
  readonly entries: Int32Array
  /** Returns the values of a column, one per entry. Computed on demand, so unused columns cost nothing. */
  values(column: number): Float64Array
  /** Returns the texts of a `text` column. The column's values are indexes into these texts. */
  texts(column: number): Texts
}

/** Text i is arena[offsets[i] .. offsets[i + 1]), in UTF-8. */
export type Texts = { arena: Uint8Array; offsets: Uint32Array }
export const NO_TEXTS: Texts = { arena: new Uint8Array(0), offsets: new Uint32Array(1) }

export const TIMESTAMP = 'timestamp'

/** Returns the column names of flattened formats, in order. */
export const columnNames = (
  columns: readonly Pick<Column, 'name' | 'type'>[],
  constants: readonly Pick<Constant, 'name'>[],
  hasTimestamp = true,
): string[] =>
  [...constants, ...(hasTimestamp ? [{ name: TIMESTAMP }] : []), ...columns.filter(hasValues)].map(({ name }) => name)

export const hasValues = <Any extends Pick<Column, 'type'>>(column: Any): column is Any & { type: ColumnType } =>
  column.type !== 'nothing'

/** Returns the double nearest to a value, and null for null. The column must not hold texts. */
export function numberOf({ type }: Column, value: number): number | boolean | null {
  if (value === NULL) return null
  if (type === 'flag') return value === 1
  return typeof type === 'object' && 'places' in type ? value / 10 ** type.places : value
}
