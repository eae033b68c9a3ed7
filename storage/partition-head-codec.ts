// A head as bytes: msgpack behind a checksum, like a block.

import { Packr } from 'msgpackr'
import { checkedBody, withChecksum } from './block.ts'
import { DataError } from './failures.ts'
import type { PartitionHead } from './partition-head.ts'

const packr = new Packr({ useRecords: false, variableMapSize: true })

export function encodeHead(head: PartitionHead): Uint8Array {
  return withChecksum(packr.pack(head))
}

/** Throws DataError('block_corrupt'). */
export function decodeHead(bytes: Uint8Array): PartitionHead {
  const head = packr.unpack(checkedBody(bytes)) as PartitionHead
  if (head.version !== 1) throw new DataError('block_corrupt', `A stored head has version ${head.version}, must have 1`)
  return head
}
