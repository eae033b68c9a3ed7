// What a block says of itself in the file: of which partition it is, and which block. With it the index can be made
// again from the blocks alone.

import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'
import type { Venue } from '../venue.ts'

export type BlockName = PartitionKey & { id: number }

const MARK = 0x4b42_4b42
/** The mark, the length of all of it, and that of the name. */
const HEAD_BYTES = 10
/** A name is shorter. */
export const NAME_BYTES_MAX = HEAD_BYTES + 0x10000
const encoder = new TextEncoder()
const decoder = new TextDecoder()

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

/** Little-endian. A view of so small an array would cost more than all of this. */
function put(bytes: Uint8Array, start: number, count: number, value: number): void {
  for (let at = 0; at < count; at++) bytes[start + at] = value >>> (8 * at)
}

/** Throws DataError('block_corrupt'). */
export function withoutName(bytes: Uint8Array): Uint8Array {
  const start = contentStart(bytes)
  if (start === undefined) throw new DataError('block_corrupt', 'it does not say which block it is')
  return bytes.subarray(start)
}

/** `bytes` may be longer than the block. Undefined where no named block begins. */
export function namedBlock(bytes: Uint8Array): { name: BlockName; content: Uint8Array } | undefined {
  const start = contentStart(bytes)
  if (start === undefined) return undefined
  const length = viewOf(bytes).getUint32(4, true)
  try {
    const [venue, market, date, id] = JSON.parse(decoder.decode(bytes.subarray(HEAD_BYTES, start))) as unknown[]
    if (typeof market !== 'string' || typeof date !== 'string' || typeof id !== 'number') return undefined
    return { name: { venue: venue as Venue, market, date, id }, content: bytes.subarray(start, length) }
  } catch {
    return undefined
  }
}

/** How long a named block is with its name; undefined where none begins. */
export function namedLength(bytes: Uint8Array): number | undefined {
  return contentStart(bytes) === undefined ? undefined : viewOf(bytes).getUint32(4, true)
}

function contentStart(bytes: Uint8Array): number | undefined {
  if (bytes.length <= HEAD_BYTES) return undefined
  const view = viewOf(bytes)
  const start = HEAD_BYTES + view.getUint16(8, true)
  return view.getUint32(0, true) === MARK && start < bytes.length ? start : undefined
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
