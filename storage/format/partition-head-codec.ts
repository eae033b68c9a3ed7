// Encodes a head: a checksum, then msgpack, like a block.

import { Packr } from 'msgpackr'
import { DataError } from '../failures.ts'
import { checkedBody, withChecksum } from './block.ts'
import type { PartitionHead } from './partition-head.ts'

const ALWAYS = [
  ...['version', 'revision', 'nextId', 'recordCount', 'tradeCount', 'firstMs', 'lastMs', 'blocks', 'rollups'],
  ...['books', 'gaps', 'inferredGaps', 'looseSnapshots', 'edits'],
]
const HEARD = ['book', 'snapshotsMs', 'goesOnMs', 'gapsMs', 'lastChangeMs']
/** The keys of each kind of object in a head, in the order in which the program sets them: a head stores only the
 *  values. Part of the stored format. An object with other keys, or another order, is stored with its keys. */
const HEAD_KEYS: string[][] = [
  ALWAYS,
  [...ALWAYS, 'heard'],
  HEARD,
  ['recorder', ...HEARD],
  ['firstRecord', 'recordCount', 'firstMs', 'lastMs', 'bookRecords', 'tradeCounts', 'bytes', 'id', 'stateId'],
  ['id', 'firstRecord', 'recordCount', 'minutes', 'seconds', 'openMs'],
  [
    ...['id', 'recordCount', 'tradeCount', 'tradeVolume', 'quoteCount', 'firstQuoteMs', 'lastQuoteMs'],
    ...['startsFrom', 'snapshotCount', 'opening', 'last', 'quality'],
  ],
  ['bid', 'bidSize', 'ask', 'askSize'],
  ['bid', 'bidSize', 'ask', 'askSize', 'timeMs'],
  [
    ...['snapshotsConfirmed', 'snapshotsContradicted', 'longestSilenceMs', 'bestPricesAgreed', 'bestPricesChecked'],
    ...['hashesAgreed', 'hashesChecked'],
  ],
  ['book', 'reason', 'fromMs', 'toMs', 'atMs'],
  ['book', 'reason', 'fromMs', 'toMs', 'levelsDiffering'],
]
const packr = new Packr({
  // The declared type is object, but the library takes lists of keys.
  structures: HEAD_KEYS as unknown as object[],
  maxSharedStructures: HEAD_KEYS.length,
})

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
