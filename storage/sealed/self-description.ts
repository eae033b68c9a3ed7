// The name at the start of a stored block: its partition and its number. Part of the format; nothing reads the name.

import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'

type BlockName = PartitionKey & { id: number }

const MARK = 0x4b42_4b42
/** Bytes of the mark, the total length, and the length of the name. */
const HEAD_BYTES = 10
const encoder = new TextEncoder()

export function withName({ venue, market, date, id }: BlockName, content: Uint8Array): Uint8Array {
  const name = encoder.encode(JSON.stringify([venue, market, date, id]))
  const bytes = new Uint8Array(HEAD_BYTES + name.length + content.length)
  put(bytes, 0, 4, MARK)
  put(bytes, 4, 4, bytes.length)
  put(bytes, 8, 2, name.length)
  bytes.set(name, HEAD_BYTES)
  bytes.set(content, HEAD_BYTES + name.length)
  return bytes
}

/** Writes a little-endian integer. A view of so small an array would cost more than all of this. */
function put(bytes: Uint8Array, start: number, count: number, value: number): void {
  for (let at = 0; at < count; at++) bytes[start + at] = value >>> (8 * at)
}

/** Throws DataError('block_corrupt') if the bytes do not begin with a name. */
export function withoutName(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = bytes.length > HEAD_BYTES ? HEAD_BYTES + view.getUint16(8, true) : bytes.length
  if (start < bytes.length && view.getUint32(0, true) === MARK) return bytes.subarray(start)
  throw new DataError('block_corrupt', 'it does not say which block it is')
}
