// Splits one column of a row group into pages. Opening a page decompresses it and reads its levels. `PageValues`
// decodes its values.

import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { CompressionCodec } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { compressors } from 'hyparquet-compressors'
import { bitsOf, HybridRuns } from './hybrid-runs.ts'

export type PagedColumn = {
  codec: CompressionCodec
  /** Maximum levels: the definition level of a present value, and the repetition level of a repeated value. */
  definition: number
  repetition: number
}

/** A page as its header describes it. */
export type PackedPage = { isDictionary: boolean; entries: number; open(): Page }

/** A decompressed page. Its values begin at index `start` of `bytes`. `count` of its `entries` entries have a value.
 *  Levels are per entry; without definition levels, all entries have a value. */
export type Page = {
  encoding: string
  bytes: Uint8Array
  start: number
  count: number
  entries: number
  definitions: Uint8Array | undefined
  repetitions: Uint8Array | undefined
}

/** Maximum bytes and values of a page. No writer makes larger pages. */
const PAGE_BYTES_MAX = 256 << 20
export const PAGE_VALUES_MAX = PAGE_BYTES_MAX / 8

/** Decompressors by codec. The runtime's decompressors are several times as fast as the library's. No decompressor
 *  returns more than `length` bytes. */
const DECOMPRESS: Partial<Record<CompressionCodec, (bytes: Uint8Array, length: number) => Uint8Array>> = {
  ...compressors,
  ZSTD: (bytes, length) => zstdDecompressSync(bytes, limited(length)),
  GZIP: (bytes, length) => gunzipSync(bytes, limited(length)),
}
/** Returns the options for output in one chunk. node:zlib allows no chunk below 64 bytes. */
const limited = (length: number) => ({ maxOutputLength: Math.max(1, length), chunkSize: Math.max(64, length) })

type Header = ReturnType<typeof parquetHeader>

/** Yields the pages of a column. Throws Error if a page cannot be read; so does `open` of a page. */
export function* pagesOf(chunk: Uint8Array, column: PagedColumn): Generator<PackedPage> {
  const reader = { view: new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength), offset: 0 }
  while (reader.offset < chunk.length) {
    const header = parquetHeader(reader)
    const end = reader.offset + header.compressed_page_size
    if (!(end <= chunk.length)) throw new Error('a page ends beyond its column')
    const packed = chunk.subarray(reader.offset, end)
    reader.offset = end
    if (header.type === 'DATA_PAGE') {
      const { num_values: entries } = header.data_page_header!
      yield { isDictionary: false, entries, open: () => pageOf(header, packed, column) }
    } else if (header.type === 'DATA_PAGE_V2') {
      const { num_values: entries } = header.data_page_header_v2!
      yield { isDictionary: false, entries, open: () => secondPageOf(header, packed, column) }
    } else if (header.type === 'DICTIONARY_PAGE') {
      const { num_values: entries } = header.dictionary_page_header!
      yield { isDictionary: true, entries, open: () => dictionaryOf(header, packed, column) }
    }
  }
}

function dictionaryOf(header: Header, packed: Uint8Array, { codec }: PagedColumn): Page {
  const count = header.dictionary_page_header!.num_values
  const bytes = decompressed(packed, header.uncompressed_page_size, codec)
  const none = { definitions: undefined, repetitions: undefined }
  return { encoding: 'PLAIN', bytes, start: 0, count, entries: count, ...none }
}

function pageOf(header: Header, packed: Uint8Array, column: PagedColumn): Page {
  const { num_values: entries, encoding, ...of } = header.data_page_header!
  const bytes = decompressed(packed, header.uncompressed_page_size, column.codec)
  let start = 0
  const read = (greatest: number, kind: string | undefined) => {
    if (kind !== 'RLE') throw new Error(`levels as ${kind} are not supported`)
    const into = new Uint8Array(entries)
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(start, true)
    new HybridRuns(bytes, start + 4, start + 4 + length, bitsOf(greatest)).read(into, entries)
    start += 4 + length
    return into
  }
  const { definition, repetition } = column
  const repetitions = repetition === 0 ? undefined : read(repetition, of.repetition_level_encoding)
  const definitions = definition === 0 ? undefined : read(definition, of.definition_level_encoding)
  const count = countOf(definitions, entries, definition)
  return { encoding, bytes, start, count, entries, definitions, repetitions }
}

function secondPageOf(header: Header, packed: Uint8Array, column: PagedColumn): Page {
  const of = header.data_page_header_v2!
  const { num_values: entries, encoding, definition_levels_byte_length: definitionBytes } = of
  const { repetition_levels_byte_length: repetitionBytes } = of
  const { definition, repetition, codec } = column
  const levelBytes = repetitionBytes + definitionBytes
  const read = (start: number, end: number, greatest: number) => {
    const into = new Uint8Array(entries)
    new HybridRuns(packed, start, end, bitsOf(greatest)).read(into, entries)
    return into
  }
  const repetitions = repetition === 0 ? undefined : read(0, repetitionBytes, repetition)
  const definitions = definition === 0 ? undefined : read(repetitionBytes, levelBytes, definition)
  const count = countOf(definitions, entries, definition)
  const values = packed.subarray(levelBytes)
  const isPacked = of.is_compressed !== false && count > 0
  const bytes = isPacked ? decompressed(values, header.uncompressed_page_size - levelBytes, codec) : values
  return { encoding, bytes, start: 0, count, entries, definitions, repetitions }
}

function countOf(definitions: Uint8Array | undefined, entries: number, greatest: number): number {
  if (definitions === undefined) return entries
  let count = 0
  for (let i = 0; i < entries; i++) if (definitions[i] === greatest) count++
  return count
}

function decompressed(packed: Uint8Array, length: number, codec: CompressionCodec): Uint8Array {
  if (codec === 'UNCOMPRESSED') return packed
  const decompress = DECOMPRESS[codec]
  if (decompress === undefined) throw new Error(`pages packed as ${codec} are not supported`)
  if (!(length >= 0 && length <= PAGE_BYTES_MAX)) {
    throw new Error(`a page has ${length} bytes: up to ${PAGE_BYTES_MAX} are read`)
  }
  const bytes = unpacked(() => decompress(packed, length), length)
  if (bytes.length !== length) throw new Error(`a page has ${bytes.length} bytes, its header says ${length}`)
  return bytes
}

function unpacked(decompress: () => Uint8Array, length: number): Uint8Array {
  try {
    return decompress()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw new Error(`a page has more bytes than the ${length} that its header says`)
  }
}
