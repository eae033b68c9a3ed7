// Many tables as one Parquet file: each is written by itself, as row groups that begin at no place yet, and one footer
// lists all of them.
//
//   parts: row groups, tail │ row groups, tail │ …
//   file:  PAR1, row groups │ row groups       │ … │ footer        tails are taken off, the places in them moved

import { deserialize, serialize } from 'node:v8'
import { MAGIC, parquetFooter, type RowGroup } from './plain-footer.ts'
import type { PlainElement } from './plain-parquet.ts'

/** What the footer says of a part. */
export type PartTail = { elements: PlainElement[]; metadata: ReadonlyMap<string, string>; groups: RowGroup[] }

const LENGTH_BYTES = 4

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
  readonly #groups: RowGroup[] = []

  /** What the file has of a part. A tail lies in the last chunk. */
  async *add(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (this.#offset === 0) yield this.#counted(MAGIC)
    const shift = BigInt(this.#offset)
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
    const { elements, metadata } = this.#first!
    return parquetFooter(elements, this.#groups, metadata)
  }

  #counted(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length
    return bytes
  }

  #keep(tail: PartTail, shift: bigint): void {
    for (const { columns } of tail.groups) {
      for (const column of columns) {
        column.file_offset += shift
        column.meta_data!.data_page_offset += shift
      }
    }
    this.#groups.push(...tail.groups)
    this.#first ??= tail
  }
}
