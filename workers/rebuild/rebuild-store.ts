// Fills a new store with the blocks that are found in a file whose index is damaged.

import { DataError } from '../../storage/failures.ts'
import { decodeBlock, unpackInts } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { type BlockFile, type FoundBlock, nameOfPartition, type SalvagedIndex } from '../../storage/keep-store.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import { RecordIdentities } from '../block/record-identity.ts'
import { collectStored } from '../remove/kept-records.ts'
import { MarketWriter } from '../upgrade/market-writer.ts'
import { type Candidate, chooseBlocks } from './choose-blocks.ts'

/** A partition whose index entry is lost, or of which blocks are; then `expected` is how many records it had. */
export type UnsurePartition = PartitionKey & { records: number; expected: number | null }
export type Rebuilt = { partitions: number; records: number; unsure: UnsurePartition[] }
export type RebuildProgress = (step: 'searching' | 'writing', done: number, of: number) => void

type Block = FoundBlock & Candidate
type FoundPartition = { key: PartitionKey; blocks: Map<number, Block> }

/** Throws DataError('store_unavailable') where no block is found. */
export async function rebuildStore(
  file: BlockFile,
  index: SalvagedIndex,
  store: Store,
  onProgress: RebuildProgress,
): Promise<Rebuilt> {
  const partitions = findPartitions(file, (done, of) => onProgress('searching', done, of))
  for (const name of partitions.keys()) {
    if (index.heads.has(name) || !index.areHeadsWhole) continue
    // Its blocks lie in free pages: it was removed.
    partitions.delete(name)
  }
  if (partitions.size === 0) throw new DataError('store_unavailable', 'No block of a market was found in the store')
  const rebuilt: Rebuilt = { partitions: 0, records: 0, unsure: [] }
  const writer = new MarketWriter(store)
  for (const name of new Set([...partitions.keys(), ...index.heads.keys()].sort())) {
    onProgress('writing', rebuilt.partitions, partitions.size)
    const head = index.heads.get(name)
    const found = partitions.get(name)
    const stored = found === undefined ? undefined : collectPartition(file, found, head)
    const key = found?.key ?? keyOf(name)
    const records = stored?.recordCount ?? 0
    if (head === undefined || records !== head.recordCount) {
      rebuilt.unsure.push({ ...key, records, expected: head?.recordCount ?? null })
    }
    if (stored === undefined) continue
    await writer.add(stored)
    rebuilt.partitions++
    rebuilt.records += records
  }
  await writer.finish()
  await store.catalogue.putSlugs(index.slugs)
  await keepMetadata(index, store)
  return rebuilt
}

async function keepMetadata(
  { markets, events, audits, loads, quality }: SalvagedIndex,
  { catalogue }: Store,
): Promise<void> {
  await catalogue.putAudits(audits)
  await catalogue.putLoads(loads, quality)
  for (const [loadedMs, same] of Map.groupBy(events, (event) => event.loadedMs)) {
    await catalogue.putMetadata({ markets: [], events: same.map(({ loadedMs: _, ...said }) => said) }, loadedMs)
  }
  for (const [loadedMs, same] of Map.groupBy(markets, (market) => market.loadedMs)) {
    await catalogue.putMetadata({ markets: same.map(({ loadedMs: _, ...said }) => said), events: [] }, loadedMs)
  }
}

function keyOf(name: string): PartitionKey {
  const [venue, market, date] = JSON.parse(name) as [PartitionKey['venue'], string, string]
  return { venue, market, date }
}

function findPartitions(file: BlockFile, onProgress: (done: number, of: number) => void): Map<string, FoundPartition> {
  const partitions = new Map<string, FoundPartition>()
  for (const found of file.blocks(onProgress)) {
    const { venue, market, date } = found
    const name = nameOfPartition(found)
    let partition = partitions.get(name)
    if (partition === undefined) {
      partition = { key: { venue, market, date }, blocks: new Map() }
      partitions.set(name, partition)
    }
    if (partition.blocks.has(found.id)) continue
    const { recordCount, timesMs } = decodeBlock(file.content(found))
    const times = unpackInts(timesMs, recordCount)
    partition.blocks.set(found.id, { ...found, firstMs: times[0]!, lastMs: times[recordCount - 1]! })
  }
  return partitions
}

function collectPartition(file: BlockFile, { key, blocks }: FoundPartition, head: PartitionHead | undefined) {
  const decoded = (block: Block): DecodedBlock => decodeWholeBlock(decodeBlock(file.content(block)))
  const listed = head?.blocks.flatMap(({ id }) => blocks.get(id) ?? [])
  if (head !== undefined && listed?.length === head.blocks.length) {
    return collectStored(key, listed.map(decoded), head.looseSnapshots, head.recorders)
  }
  const chosen = chooseBlocks([...blocks.values()], (block, timeMs) => identitiesAt(decoded(block), timeMs))
  return collectStored(key, chosen.map(decoded), [])
}

export function identitiesAt(block: DecodedBlock, timeMs: number): string[] {
  const identities = new RecordIdentities(block)
  const [hashes, checks] = [new BigUint64Array(1), new BigUint64Array(1)]
  const found: string[] = []
  for (let record = 0; record < block.recordCount; record++) {
    if (block.timesMs[record] !== timeMs) continue
    identities.hash(record, hashes, checks, 0)
    found.push(`${hashes[0]} ${checks[0]}`)
  }
  return found
}
