// Many tables as one Parquet file: each is written by itself, as row groups that begin at no place yet, and one footer
// tells of all of them.
//
//   parts: row groups, tail │ row groups, tail │ …
//   file:  PAR1, row groups │ row groups       │ … │ footer        tails are taken off, the places in them moved

import { deserialize, serialize } from 'node:v8'
import { ByteWriter, type ParquetWriter } from 'hyparquet-writer'
import { parquetWriter } from './parquet-writer.ts'

type FooterOf<Name extends keyof ParquetWriter> = NonNullable<ParquetWriter[Name]>

/** What a footer says of a part, as the writer holds it. `indexes` point to chunks of the groups. */
export type PartTail = {
  schema: FooterOf<'schema'>
  kvMetadata: FooterOf<'kvMetadata'>
  groups: FooterOf<'row_groups'>
  indexes: FooterOf<'pendingIndexes'>
}

const LENGTH_BYTES = 4
/** Also the bytes before the first group, from which a part counts its places. */
const MAGIC = new TextEncoder().encode('PAR1')

/** Ends the bytes of a part: the tail, and its length. */
export function packedTail(tail: PartTail): Uint8Array {
  const bytes = serialize(tail)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([bytes, length])
}

export class JoinedParquet {
  #offset = 0
  #first: PartTail | undefined
  readonly #groups: PartTail['groups'] = []
  readonly #indexes: PartTail['indexes'] = []

  /** What the file has of a part. A tail lies in the last chunk. */
  async *add(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (this.#offset === 0) yield this.#counted(MAGIC)
    const shift = BigInt(this.#offset - MAGIC.length)
    let last: Uint8Array | undefined
    for await (const chunk of chunks) {
      if (last !== undefined) yield this.#counted(last)
      last = chunk
    }
    if (last === undefined) return
    const { buffer, byteOffset, length } = last
    const tailEnd = length - LENGTH_BYTES
    const tailStart = tailEnd - new DataView(buffer, byteOffset).getUint32(tailEnd, true)
    this.#keep(deserialize(last.subarray(tailStart, tailEnd)), shift)
    if (tailStart > 0) yield this.#counted(last.subarray(0, tailStart))
  }

  /** The footer. One part at least was added. */
  end(): Uint8Array {
    const { schema, kvMetadata } = this.#first!
    const bytes = new ByteWriter()
    const writer = parquetWriter({ writer: bytes, schema, kvMetadata })
    Object.assign(bytes, { ...new ByteWriter(), offset: this.#offset })
    writer.row_groups = this.#groups
    writer.num_rows = this.#groups.reduce((sum, group) => sum + group.num_rows, 0n)
    writer.pendingIndexes = this.#indexes
    void writer.finish()
    return bytes.getBytes().slice()
  }

  #counted(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length
    return bytes
  }

  #keep(tail: PartTail, shift: bigint): void {
    const { groups, indexes } = tail
    for (const { columns } of groups) {
      for (const { meta_data: column } of columns) {
        if (column === undefined) continue
        column.data_page_offset += shift
        if (column.dictionary_page_offset !== undefined) column.dictionary_page_offset += shift
      }
    }
    for (const { offsetIndex } of indexes) for (const page of offsetIndex?.page_locations ?? []) page.offset += shift
    this.#groups.push(...groups)
    this.#indexes.push(...indexes)
    this.#first ??= tail
  }
}
