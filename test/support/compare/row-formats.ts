// Reads rows from every format over HTTP as flat rows.

import { tableFromIPC } from '@uwdata/flechette'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'

export type Cell = string | number | boolean | null
export type FlatRow = Record<string, Cell>

/** Returns a row of JSON under flat names: a candle becomes four columns. */
export function flatRow(row: Record<string, unknown>): FlatRow {
  const flat: FlatRow = {}
  for (const [name, value] of Object.entries(row)) {
    if (!name.endsWith('_ohlc')) flat[name] = value as Cell
    else for (const [part, cell] of Object.entries(value as FlatRow)) flat[name.replace(/ohlc$/, part)] = cell
  }
  return flat
}

export const ndjsonRows = (text: string): Record<string, unknown>[] => {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  return lines.map((line) => JSON.parse(line))
}

/** Parses CSV whose texts have no commas or quotes. All columns except `texts` hold JSON values. */
export function csvRows(text: string, texts: readonly string[]): FlatRow[] {
  const [head = '', ...lines] = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const entries = names.map((name, i) => {
      const cell = cells[i]!
      // An empty text is quoted; a missing text is not.
      const text = cell === '""' ? '' : cell
      return [name, cell === '' ? null : texts.includes(name) ? text : JSON.parse(cell)]
    })
    return Object.fromEntries(entries)
  })
}

export function arrowRows(bytes: ArrayBuffer): { rows: FlatRow[]; metadata: ReadonlyMap<string, string> } {
  const table = tableFromIPC(bytes, { useBigInt: false })
  return { rows: table.toArray() as FlatRow[], metadata: table.schema.metadata ?? new Map() }
}

const plain = (value: unknown) => (typeof value === 'bigint' || value instanceof Date ? Number(value) : value)

const compressors = { ZSTD: (packed: Uint8Array) => Bun.zstdDecompressSync(packed as Uint8Array<ArrayBuffer>) }

export async function parquetRows(file: ArrayBuffer): Promise<{ rows: FlatRow[]; metadata: Map<string, string> }> {
  const rows = await parquetReadObjects({ file, compressors })
  const flat = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
  const { key_value_metadata: pairs = [] } = parquetMetadata(file)
  return { rows: flat as FlatRow[], metadata: new Map(pairs.map(({ key, value }) => [key, value ?? ''])) }
}
