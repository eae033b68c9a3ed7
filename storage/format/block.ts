// A block: up to 16,384 consecutive records of a partition as columns. This file is the stored format: it turns columns
// into bytes and back, with a checksum over all of them. ARCHITECTURE.md shows the layout.

import { Packr } from 'msgpackr'
import { DataError } from '../failures.ts'
import { decodeIndexes, decodeInts } from './columns/int-column.ts'
import type { NumberColumn } from './columns/number-column.ts'
import { packText, unpack } from './columns/packed.ts'
import type { SlotColumn } from './columns/slot-column.ts'
import { packShapes, unpackShapes } from './packed-shapes.ts'
import type { Shape } from './shape.ts'

export const BLOCK_VERSION = 3

/** Records in a full block. More records compress better, fewer records make short windows cheaper to read. */
export const BLOCK_RECORDS_MAX = 16_384

/** Maximum number of books of a market. A condition has two, one for each outcome token. The limit exists because each
 *  book searches all changes of a message. */
export const BOOKS_MAX = 256

/** The rows of one shape, in record order. */
export type ShapeColumns = {
  shape: Shape
  rowCount: number
  receivedMs: NumberColumn | null
  sid: NumberColumn | null
  seq: NumberColumn | null
  /** Number of elements of each list, per row. */
  listLengths: NumberColumn[]
  slots: SlotColumn[]
}

/** A block: event times, the shape of each record and whether it opens a quote, and the book of each record. */
export type Block = {
  recordCount: number
  /** Book ids. The number of a record's book is the index of the id here plus one; 0 if the record belongs to the whole
   *  market. */
  books: string[]
  timesMs: Uint8Array
  /** For each record: twice the index of its shape, plus one if the record opens a quote. */
  operations: Uint8Array
  bookIndexes: Uint8Array
  shapes: ShapeColumns[]
}

type PackedBlock = [
  version: number,
  recordCount: number,
  directory: Uint8Array,
  columns: Uint8Array[],
  shapes: Uint8Array,
]

const CHECKSUM_BYTES = 8
const INLINE_BYTES_MAX = 64
const packr = new Packr({ useRecords: false, variableMapSize: true })

/** The keys of each kind of object in a directory, in the order in which the encoder sets them: a directory stores
 *  only the values. */
const DIRECTORY_KEYS: string[][] = [
  ['recordCount', 'books', 'timesMs', 'operations', 'bookIndexes', 'shapes'],
  ['rowCount', 'receivedMs', 'sid', 'seq', 'listLengths', 'slots'],
  ['relation', 'isPerQuote', 'packed'],
  ['inline'],
  ['column'],
  ['form', 'scale', 'style', 'values', 'places'],
  ['form', 'values'],
  ['form', 'texts'],
  ['form', 'wordLengths', 'words', 'wordCount', 'indexes'],
  ['form', 'pattern', 'digits'],
  ['form', 'lengths', 'text'],
]
const directoryPackr = new Packr({
  // The declared type is object, but the library takes lists of keys.
  structures: DIRECTORY_KEYS as unknown as object[],
  maxSharedStructures: DIRECTORY_KEYS.length,
})

export function encodeBlock(block: Block): Uint8Array {
  const columns: Uint8Array[] = []
  const shapeColumns = block.shapes.map(({ shape: _, ...of }) => of)
  const directory = replaceBytes({ ...block, shapes: shapeColumns }, (bytes) => {
    if (bytes.length <= INLINE_BYTES_MAX) return { inline: bytes }
    columns.push(bytes)
    return { column: columns.length - 1 }
  })
  const shapes = packShapes(block.shapes.map(({ shape }) => shape))
  return withChecksum(
    packr.pack([BLOCK_VERSION, block.recordCount, packText(directoryPackr.pack(directory)), columns, shapes]),
  )
}

/** Throws DataError('block_corrupt') for anything that `encodeBlock` did not write. */
export function decodeBlock(bytes: Uint8Array): Block {
  const body = checkedBody(bytes)
  try {
    const [version, recordCount, directory, columns, shapes] = packr.unpack(body) as PackedBlock
    if (version !== BLOCK_VERSION) throw new RangeError(`block has version ${version}, must have ${BLOCK_VERSION}`)
    const block = restoreBytes(directoryPackr.unpack(unpack(directory)), columns) as Block
    addShapes(block, unpackShapes(shapes))
    if (block.recordCount !== recordCount) throw new RangeError('block and its directory disagree')
    return block
  } catch (error) {
    throw new DataError('block_corrupt', `Cannot read a stored block: ${(error as Error).message}`)
  }
}

/** Shared by all calls, because creating a view of each small array would cost more than its checksum. */
const checksum = new BigUint64Array(1)
const checksumBytes = new Uint8Array(checksum.buffer)

/** Returns whether the bytes match their checksum, without decoding them. */
export function isIntact(bytes: Uint8Array): boolean {
  if (bytes.length <= CHECKSUM_BYTES) return false
  checksum[0] = Bun.hash.xxHash64(bytes.subarray(CHECKSUM_BYTES))
  for (let at = 0; at < CHECKSUM_BYTES; at++) if (bytes[at] !== checksumBytes[at]) return false
  return true
}

export function withChecksum(body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(CHECKSUM_BYTES + body.length)
  bytes.set(body, CHECKSUM_BYTES)
  checksum[0] = Bun.hash.xxHash64(body)
  bytes.set(checksumBytes)
  return bytes
}

/** Returns the stored checksum as text. Equal bytes have equal checksums. */
export const checksumOf = (bytes: Uint8Array): string =>
  new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true).toString(36)

export function checkedBody(bytes: Uint8Array): Uint8Array {
  if (!isIntact(bytes)) throw new DataError('block_corrupt', 'it does not match its checksum')
  return bytes.subarray(CHECKSUM_BYTES)
}

/** Decodes integers, one per record, into `into` if it is given. */
export const unpackInts = (packed: Uint8Array, count: number, into?: Float64Array<ArrayBuffer>): Float64Array =>
  decodeInts(unpack(packed), count, into)
export const unpackIndexes = (packed: Uint8Array, count: number, into?: Uint16Array<ArrayBuffer>): Uint16Array =>
  decodeIndexes(unpack(packed), count, into)

function addShapes({ shapes: columns }: Block, shapes: readonly Shape[]): void {
  if (columns.length !== shapes.length) throw new RangeError('block and its shapes disagree')
  for (let i = 0; i < columns.length; i++) columns[i]!.shape = shapes[i]!
}

type Reference = { inline: Uint8Array } | { column: number }

function replaceBytes(value: unknown, refer: (bytes: Uint8Array) => Reference): unknown {
  if (value instanceof Uint8Array) return refer(value)
  if (Array.isArray(value)) return value.map((item) => replaceBytes(item, refer))
  if (value === null || typeof value !== 'object') return value
  const replaced: Record<string, unknown> = {}
  for (const key of Object.keys(value)) replaced[key] = replaceBytes((value as Record<string, unknown>)[key], refer)
  return replaced
}

// Works in place: the directory was decoded for this block alone, and most of it stays unchanged.
function restoreBytes(value: unknown, columns: Uint8Array[]): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  const { inline, column } = value as Partial<{ inline: Uint8Array; column: number }>
  if (inline instanceof Uint8Array) return inline
  if (typeof column === 'number') {
    const bytes = columns[column]
    if (bytes === undefined) throw new RangeError('block lacks one of its columns')
    return bytes
  }
  // This loop also handles arrays: their keys are their indexes.
  const items = value as Record<string, unknown>
  for (const key of Object.keys(items)) {
    const item = items[key]
    if (typeof item === 'object') items[key] = restoreBytes(item, columns)
  }
  return value
}
