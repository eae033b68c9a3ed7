// Joins many tables into one Parquet file. Each table is a part: row groups, with offsets from the start of the part,
// and a tail that describes them. One footer lists all row groups.
//
//   parts: row groups, tail │ row groups, tail │ …
//   file:  PAR1, row groups │ row groups       │ … │ footer        tails are removed, and their offsets shifted

import { deserialize, serialize } from 'node:v8'
import { MAGIC, parquetFooter, type RowGroup } from './plain-footer.ts'
import type { PlainElement } from './plain-parquet.ts'

/** The footer's content for one part. */
export type PartTail = { elements: PlainElement[]; metadata: ReadonlyMap<string, string>; groups: RowGroup[] }

const LENGTH_BYTES = 4

/** Returns the last bytes of a part: the tail and its length. */
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

  /** Yields the file's bytes for a part. The part's tail must be in the last chunk. */
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
    this.#addGroups(deserialize(last.subarray(tailStart, tailEnd)), shift)
    if (tailStart > 0) yield this.#counted(last.subarray(0, tailStart))
  }

  /** Returns the footer. At least one part must have been added. */
  end(): Uint8Array {
    const { elements, metadata } = this.#first!
    return parquetFooter(elements, this.#groups, metadata)
  }

  #counted(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length
    return bytes
  }

  #addGroups(tail: PartTail, shift: bigint): void {
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
