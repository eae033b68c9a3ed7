// Reads everything in a store and checks whether it is consistent: checksums, columns, heads, and the books that blocks
// and days start from. These books are rebuilt and compared.

import { blockPart, type PartId, type PartitionBooks, statePart } from '../../storage/block-store.ts'
import { DataError } from '../../storage/failures.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import { sourcesOf } from '../../storage/format/head-layers.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { OpenStore, Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { VENUES } from '../../storage/venue.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { decodeBooks } from '../book/book-state.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { storeOfSource } from '../layers/source-view.ts'
import { partsOfPartition } from '../partition/needed-parts.ts'
import { carriedInto } from '../partition/opening-books.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { partitionDamage } from './check-partition.ts'
import { shownDamage } from './check-shown.ts'

const TRIES = 5

export type Damage = PartitionKey & { what: string }
export type StoreReport = {
  partitions: number
  blocks: number
  records: number
  damage: Damage[]
  /** Damage that does not belong to one day: of the file's index, and of the entries of markets and slugs. */
  storeDamage: string[]
}

/** Checks every partition of every market. Calls `onPartition` before each partition. If the file's index is damaged,
 *  reads nothing else, because LMDB would use the index. */
export async function verifyStore(
  store: OpenStore,
  onPartition: (key: PartitionKey) => void = () => {},
): Promise<StoreReport> {
  const indexDamage = await store.maintenance.indexDamage()
  const report: StoreReport = { partitions: 0, blocks: 0, records: 0, damage: [], storeDamage: indexDamage }
  if (indexDamage.length > 0) return report
  report.storeDamage = await store.maintenance.valueDamage()
  for (const venue of VENUES) {
    for await (const key of store.catalogue.partitions(venue)) {
      onPartition(key)
      report.partitions++
      for (const what of await verifyPartition(store, key, report)) report.damage.push({ ...key, what })
    }
  }
  return report
}

/** Returns the error's message without the name of the part, which the damage states separately. */
const messageOf = (error: Error): string => (error.cause instanceof DataError ? error.cause.message : error.message)

/** Checks a day, and returns its damage. If damage is found but another process has changed the day meanwhile, checks
 *  the day again. */
async function verifyPartition(store: Store, key: PartitionKey, report: StoreReport): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const revision = await revisionOf(store, key)
    const found = await damageOf(store, key)
    const isChanged = (await revisionOf(store, key)) !== revision
    if (found.damage.length === 0 || !isChanged || tries === TRIES) {
      report.blocks += found.blocks
      report.records += found.records
      return found.damage
    }
    store.refresh()
  }
}

/** Returns the market's revision; null if the market's entry is damaged. `storeDamage` lists such an entry. */
async function revisionOf({ catalogue }: Store, { venue, market }: PartitionKey): Promise<number | null> {
  try {
    return (await catalogue.revision(venue, market)).revision
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'block_corrupt')) throw error
    return null
  }
}

type Found = { damage: string[]; blocks: number; records: number }

/** Checks each layer. If all layers are sound, also checks whether the date's shown data follows from the layers. */
async function ofLayers(store: Store, key: PartitionKey, head: PartitionHead): Promise<Found> {
  const found: Found = { damage: [], blocks: 0, records: 0 }
  for (const source of sourcesOf(head)) {
    const { damage, blocks, records } = await damageOf(storeOfSource(store, source), key)
    found.damage.push(...damage.map((what) => `${source ?? 'own'}: ${what}`))
    found.blocks += blocks
    found.records += records
  }
  if (found.damage.length === 0) found.damage.push(...(await shownDamage(store, key, head)))
  return found
}

async function damageOf(store: Store, key: PartitionKey): Promise<Found> {
  const damage: string[] = []
  const attempt = async <T>(what: string, read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof DataError || error instanceof RangeError)) throw error
      damage.push(`${what}: ${messageOf(error)}`)
      return undefined
    }
  }
  const head = await attempt('head', () => store.catalogue.head(key))
  if (head === undefined && damage.length === 0) damage.push('head: it is missing')
  if (head === undefined) return { damage, blocks: 0, records: 0 }
  if (head.layers !== undefined) return ofLayers(store, key, head)
  // Reads the store of this source only, so that the day before is from the same source.
  const { catalogue, blocks } = storeOfSource(store, head.source ?? null)
  const parts = await blocks.fetch(partsOfPartition(key, head))
  for (const [index, { id, stateId }] of head.blocks.entries()) {
    await attempt(`block ${index}`, () => verifyBlock(parts.bytes(key, blockPart(id)), key, head, index))
    if (index > 0) await attempt(`state ${index}`, () => decodeBooks(parts.bytes(key, statePart(stateId))))
  }
  const books = await attempt('books', () => parts.books(key))
  if (damage.length === 0 && books !== undefined) {
    const stored = { head, books, bytes: (part: PartId) => parts.bytes(key, part) }
    const closingBefore = await closingBooksBefore({ catalogue, blocks }, key, books)
    damage.push(...((await attempt('its blocks', () => partitionDamage(key, stored, closingBefore))) ?? []))
  }
  return { damage, blocks: head.blocks.length, records: head.recordCount }
}

/** Returns the closing books of the day before. If they are unreadable, returns the opening books of `own`, because the
 *  damage belongs to the day before. */
async function closingBooksBefore(
  { catalogue, blocks }: Pick<Store, 'catalogue' | 'blocks'>,
  key: PartitionKey,
  own: PartitionBooks,
): Promise<Uint8Array | null> {
  try {
    const day = await catalogue.neighbour(key, 'before')
    const carried = carriedInto(own, day?.date)
    if (carried !== undefined) return carried.closing
    if (day === undefined) return null
    const before = { ...key, date: day.date }
    return (await blocks.fetch([{ key: before, kind: 'books' }])).books(before).closing
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return own.opening
  }
}

function verifyBlock(bytes: Uint8Array, key: PartitionKey, head: PartitionHead, index: number): void {
  const entry = head.blocks[index]!
  const block = decodeWholeBlock(decodeBlock(bytes))
  if (block.recordCount !== entry.recordCount) {
    throw new RangeError(`holds ${block.recordCount} records, the head says ${entry.recordCount}`)
  }
  const records = new RecordWriter(key.venue, key.market, block)
  const writer = new ByteWriter(65_536)
  let latestMs = head.blocks[index - 1]?.lastMs ?? Number.NEGATIVE_INFINITY
  for (let record = 0; record < block.recordCount; record++) {
    const timeMs = block.timesMs[record]!
    if (timeMs < latestMs)
      throw new RangeError(`record ${entry.firstRecord + record} is earlier than the one before it`)
    latestMs = timeMs
    writer.length = 0
    records.write(writer, record)
    try {
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(writer.bytes.subarray(0, writer.length)))
    } catch (error) {
      throw new RangeError(`record ${entry.firstRecord + record} is not valid JSON: ${(error as Error).message}`)
    }
  }
}
