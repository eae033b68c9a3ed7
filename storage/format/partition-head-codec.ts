// A head as bytes: msgpack behind a checksum, like a block.

import { Packr } from 'msgpackr'
import { DataError } from '../failures.ts'
import { checkedBody, withChecksum } from './block.ts'
import type { PartitionHead } from './partition-head.ts'

const packr = new Packr({ useRecords: false, variableMapSize: true })

export function encodeHead(head: PartitionHead): Uint8Array {
  return withChecksum(packr.pack(head))
}

/** Throws DataError('block_corrupt'). */
export function decodeHead(bytes: Uint8Array): PartitionHead {
  const head = unpackBody(checkedBody(bytes))
  const isHead = head?.version === 2 && Array.isArray(head.blocks) && Array.isArray(head.books)
  if (!isHead) throw new DataError('block_corrupt', 'A stored head cannot be read, or has an unknown version')
  return head
}

function unpackBody(body: Uint8Array): PartitionHead | undefined {
  try {
    return packr.unpack(body) as PartitionHead | undefined
  } catch {
    return undefined
  }
}
