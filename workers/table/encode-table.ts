// A table in the format that was asked for. Encoders run in the threads, so that bytes cross and no rows do.

import type { AnswerChunks } from '../chunked-answer.ts'
import type { Constant, Table, TablePart } from './table.ts'
import { tableText } from './table-text.ts'

export const TABLE_FORMATS = ['json', 'ndjson', 'csv', 'arrow', 'parquet'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** How a caller wants a table. It crosses threads. */
export type TableEncoding = {
  format: TableFormat
  /** Only these, by their flattened names; all unless given. For csv, arrow and parquet; checked before. */
  columns?: readonly string[]
  /** What the envelope of JSON says beside the rows: metadata of the schema in arrow and parquet. */
  metadata?: Readonly<Record<string, unknown>>
  /** Where the table is one of many: rows say their constants in ndjson as well. */
  part?: TablePart
}

/** Takes the chunks out of the table. The encoders of arrow and parquet are loaded when they are first asked for. */
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

/** Texts as they are, anything else as JSON has it, and nothing of what is null. */
export const metadataTexts = (metadata: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(metadata)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [`backbook.${key}`, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
