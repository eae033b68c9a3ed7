// Checks books against the hashes that their venue sends. The hash of a message covers the whole book after that
// message. The venue does not document the recipe of WebSocket hashes, so the recipe is found by trial. As long as no
// recipe fits, nothing counts as wrong.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { MEANINGS } from '../venues.ts'
import { type Disagreement, HashedMarket, type HashedRecord } from './hashed-market.ts'

export type HashReport = {
  agree: number
  disagree: number
  /** Number of hashes that cannot be checked, for example without a snapshot before them, or without a recipe that
   *  fits. */
  notCheckable: number
  /** The first disagreements, at most DISAGREEMENTS_MAX. */
  disagreements: Disagreement[]
}

const DISAGREEMENTS_MAX = 20

/** Checks every partition of the venues that send hashes, market by market in time order. */
export async function verifyHashes(store: Store): Promise<HashReport> {
  const report: HashReport = { agree: 0, disagree: 0, notCheckable: 0, disagreements: [] }
  for (const venue of VENUES) if (MEANINGS[venue].hasHashes) await verifyVenue(store, venue, report)
  return report
}

async function verifyVenue(store: Store, venue: Venue, report: HashReport): Promise<void> {
  let market: HashedMarket | undefined
  const finish = () => {
    if (market === undefined) return
    const { agree, notCheckable, disagreements } = market.finish()
    report.agree += agree
    report.notCheckable += notCheckable
    report.disagree += disagreements.length
    report.disagreements.push(...disagreements.slice(0, DISAGREEMENTS_MAX - report.disagreements.length))
  }
  for await (const key of store.catalogue.partitions(venue)) {
    if (market?.id !== key.market) {
      finish()
      market = new HashedMarket(key.market)
    }
    const hashed = market
    await eachRecord(
      store,
      key,
      (record) => hashed.add(key, record),
      () => hashed.beginAnew(),
    )
  }
  finish()
}

async function eachRecord(
  { catalogue, blocks }: Store,
  key: PartitionKey,
  on: (record: HashedRecord) => void,
  onSwitch: () => void,
) {
  const head = await catalogue.head(key)
  if (head === undefined) return
  const parts = await blocks.fetch(head.blocks.map(({ id }) => ({ key, ...blockPart(id) })))
  const writer = new ByteWriter(65_536)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (const { id, begins } of head.blocks) {
    if (begins !== undefined) onSwitch()
    const block = decodeWholeBlock(decodeBlock(parts.bytes(key, blockPart(id))))
    const recordWriter = new RecordWriter(key.venue, key.market, block)
    for (let record = 0; record < block.recordCount; record++) {
      writer.length = 0
      recordWriter.write(writer, record)
      on(JSON.parse(decoder.decode(writer.bytes.subarray(0, writer.length))) as HashedRecord)
    }
  }
}
