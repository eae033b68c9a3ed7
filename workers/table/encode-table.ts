// Encodes a table in the requested format. Encoders run in the threads, so bytes cross between threads, not rows.

import type { AnswerChunks } from '../chunked-answer.ts'
import type { Constant, Table, TablePart } from './table.ts'
import { tableText } from './table-text.ts'

export const TABLE_FORMATS = ['json', 'ndjson', 'csv', 'arrow', 'parquet'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** How a caller wants a table. Plain data that crosses threads. */
export type TableEncoding = {
  format: TableFormat
  /** Only these columns, by flattened name; all columns if absent. Applies to csv, arrow and parquet. The caller has
   *  checked the names. */
  columns?: readonly string[]
  /** Values that the JSON envelope has in addition to the rows. In arrow and parquet, they are schema metadata. */
  metadata?: Readonly<Record<string, unknown>>
  /** Set if the table is one of many: then ndjson rows have the constants too. */
  part?: TablePart
}

/** Encodes a table and consumes its chunks. Loads the encoders of arrow and parquet on first use. */
export async function encodeTable(whole: Table, encoding: TableEncoding): Promise<AnswerChunks> {
  const { format, columns, metadata = {}, part } = encoding
  const table = part === undefined ? whole : { ...whole, constants: constantsAmong(whole, part) }
  if (format === 'arrow') {
    const { tableArrow } = await import('./table-arrow.ts')
    return tableArrow(table, metadataTexts(metadata), { names: columns, part })
  }
  if (format !== 'parquet') return tableText(table, format, { names: columns, part })
  const { tableParquet } = await import('./table-parquet.ts')
  return tableParquet(table, metadataTexts(metadata), { names: columns, part })
}

const constantsAmong = ({ constants }: Table, { texts }: TablePart): Constant[] =>
  constants.map(({ name, text }) => ({ name, text, among: texts[name] ?? [text] }))

/** Returns texts unchanged and anything else as JSON; leaves out nulls. */
export const metadataTexts = (metadata: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(metadata)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [`backbook.${key}`, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
