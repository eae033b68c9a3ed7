// Reads files of a Nautilus catalog by its published schema: columns and their order, physical and logical types, and
// required metadata. Written from nautilus_trader's own files. Shares no code with the program.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from '@uwdata/flechette'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'

export const SCHEMAS = {
  order_book_deltas: [
    ...['action u8', 'side u8', 'price fixed', 'size fixed', 'order_id u64', 'flags u8', 'sequence u64'],
    ...['ts_event u64', 'ts_init u64'],
  ],
  quotes: [
    ...['bid_price fixed', 'ask_price fixed', 'bid_size fixed', 'ask_size fixed', 'ts_event u64', 'ts_init u64'],
  ],
  trades: [...['price fixed', 'size fixed', 'aggressor_side u8', 'trade_id utf8', 'ts_event u64', 'ts_init u64']],
} as const
export type CatalogType = keyof typeof SCHEMAS

/** A row. Prices and sizes are in units of 10^-16, or of 10^-9 in builds with 64 bits. */
export type CatalogRow = Record<string, bigint | number | string>
export type CatalogFile = { rows: CatalogRow[]; metadata: Map<string, string>; columns: string[]; fixedBytes: number }

const compressors = { ZSTD: (packed: Uint8Array) => Bun.zstdDecompressSync(packed as Uint8Array<ArrayBuffer>) }

export async function readCatalogFile(path: string): Promise<CatalogFile> {
  const file = await Bun.file(path).arrayBuffer()
  const { schema, key_value_metadata: pairs = [] } = parquetMetadata(file)
  const columns = schema.slice(1).map(({ name, type, type_length, repetition_type, logical_type, converted_type }) => {
    if (repetition_type !== 'REQUIRED') throw new Error(`${name} is ${repetition_type}`)
    const kind = logical_type?.type === 'INTEGER' ? `u${logical_type.bitWidth}` : (converted_type ?? 'fixed')
    const physical = { u8: 'INT32', u64: 'INT64', UTF8: 'BYTE_ARRAY', fixed: 'FIXED_LEN_BYTE_ARRAY' }[kind]
    if (physical !== type) throw new Error(`${name} is ${type}, not ${physical}`)
    if (logical_type?.type === 'INTEGER' && logical_type.isSigned) throw new Error(`${name} is signed`)
    return { name, text: `${name} ${kind.toLowerCase()}`, bytes: type_length ?? 0 }
  })
  const objects = await parquetReadObjects({ file, compressors, utf8: false })
  const rows = objects.map((row) => {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(name, value)]))
  })
  const metadata = new Map(pairs.map(({ key, value }) => [key, value ?? '']))
  const fixedBytes = Math.max(...columns.map(({ bytes }) => bytes))
  return { rows, metadata, columns: columns.map(({ text }) => text), fixedBytes }
}

function plainValue(name: string, value: unknown): bigint | number | string {
  if (value instanceof Uint8Array && name !== 'trade_id') {
    return value.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString() : (value as bigint | number | string)
}

/** Returns the only row of an instrument's file. */
export async function readInstrument(path: string) {
  const file = await Bun.file(path).arrayBuffer()
  const { schema, key_value_metadata: pairs = [] } = parquetMetadata(file)
  const columns = schema
    .slice(1)
    .map(({ name, type, repetition_type, logical_type }) => [name, type, repetition_type, logical_type])
  const [row, ...others] = await parquetReadObjects({ file, compressors, utf8: false })
  if (others.length > 0) throw new Error('more than one instrument')
  const texts = Object.entries(row!).map(([name, value]) => {
    return [name, value instanceof Uint8Array ? Buffer.from(value).toString() : value]
  })
  const metadata = new Map(pairs.map(({ key, value }) => [key, value ?? '']))
  return {
    columns,
    row: Object.fromEntries(texts) as Record<string, unknown>,
    metadata: metadataOf({ metadata }),
    arrowFields: arrowFields({ metadata }),
  }
}

/** Returns the metadata that Nautilus reads: the Arrow schema's, if there is one, and the key-value pairs. */
export function metadataOf({ metadata }: Pick<CatalogFile, 'metadata'>): Map<string, string> {
  const { 'ARROW:schema': packed, ...pairs } = Object.fromEntries(metadata)
  const arrow = packed === undefined ? new Map() : arrowSchema(packed).metadata
  return new Map([...Object.entries(pairs), ...(arrow ?? [])])
}

/** Returns the fields of the Arrow schema as `name type nullable`. */
export function arrowFields({ metadata }: Pick<CatalogFile, 'metadata'>): string[] {
  const packed = metadata.get('ARROW:schema')
  if (packed === undefined) return []
  return arrowSchema(packed).fields.map(({ name, type, nullable }) => `${name} ${JSON.stringify(type)} ${nullable}`)
}

function arrowSchema(packed: string) {
  const end = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
  return tableFromIPC(Buffer.concat([Buffer.from(packed, 'base64'), end])).schema
}

/** Returns the files of a type and instrument, sorted by name. Throws if a name does not fit the content, or if
 *  Nautilus would refuse the file. */
export async function readCatalog(folder: string, type: CatalogType, instrument: string): Promise<CatalogFile[]> {
  const path = join(folder, 'data', type, instrument)
  const files: CatalogFile[] = []
  let lastNs = -1n
  for (const name of readdirSync(path).sort()) {
    const file = await readCatalogFile(join(path, name))
    if (JSON.stringify(file.columns) !== JSON.stringify(SCHEMAS[type])) throw new Error(`${type}: ${file.columns}`)
    for (const key of ['instrument_id', 'price_precision', 'size_precision']) {
      if (!metadataOf(file).has(key)) throw new Error(`${name} does not say its ${key}`)
    }
    const inits = file.rows.map((row) => row['ts_init'] as bigint)
    if (inits.length === 0) throw new Error(`${name} has no row`)
    if (name !== `${nameOf(inits[0]!)}_${nameOf(inits.at(-1)!)}.parquet`) throw new Error(`${name} is not its rows'`)
    if (inits.some((ns, i) => ns < (inits[i - 1] ?? 0n))) throw new Error(`${name} steps back`)
    if (inits[0]! <= lastNs) throw new Error(`${name} overlaps the file before it`)
    lastNs = inits.at(-1)!
    files.push(file)
  }
  return files
}

function nameOf(ns: bigint): string {
  const seconds = new Date(Number(ns / 1_000_000_000n) * 1_000).toISOString().slice(0, 19)
  return `${seconds.replaceAll(':', '-')}-${String(ns % 1_000_000_000n).padStart(9, '0')}Z`
}
