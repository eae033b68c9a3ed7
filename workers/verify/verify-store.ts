// Reads everything in a store and checks it against itself: checksums, columns, heads, and the books that blocks and
// days start from, which are rebuilt and compared.

import { DataError } from '../../storage/failures.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { VENUES } from '../../storage/venue.ts'
import { decodeBooks } from '../book/book-state.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { finishPartition } from '../partition/finish-partition.ts'
import { decodeWholeBlock } from '../read/decoded-block.ts'
import { RecordWriter } from '../table/record-writer.ts'

export type Damage = PartitionKey & { what: string }
export type StoreReport = {
  partitions: number
  blocks: number
  records: number
  damage: Damage[]
  /** Damage of what is not of one day: the file's index, entries of markets and slugs. */
  storeDamage: string[]
}

/** Every partition of every market. `onPartition` is told before each. Where the file's index is damaged nothing else
 *  is read: LMDB would walk it. */
export function verifyStore(store: Store, onPartition: (key: PartitionKey) => void): StoreReport {
  const indexDamage = store.indexDamage()
  const report: StoreReport = { partitions: 0, blocks: 0, records: 0, damage: [], storeDamage: indexDamage }
  if (indexDamage.length > 0) return report
  report.storeDamage = store.valueDamage()
  for (const venue of VENUES) {
    for (const key of store.blocks.partitions(venue)) {
      onPartition(key)
      report.partitions++
      for (const what of verifyPartition(store, key, report)) report.damage.push({ ...key, what })
    }
  }
  return report
}

/** Without the place: a damage has that besides. */
const messageOf = (error: Error): string => (error.cause instanceof DataError ? error.cause.message : error.message)

function verifyPartition(store: Store, key: PartitionKey, report: StoreReport): string[] {
  const damage: string[] = []
  const attempt = <T>(what: string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof DataError || error instanceof RangeError)) throw error
      damage.push(`${what}: ${messageOf(error)}`)
      return undefined
    }
  }
  const head = attempt('head', () => store.blocks.head(key))
  if (head === undefined) return damage.length > 0 ? damage : ['head: it is missing']
  head.blocks.forEach((_, index) => {
    attempt(`block ${index}`, () => verifyBlock(store, key, head, index))
    if (index > 0) attempt(`state ${index}`, () => decodeBooks(store.blocks.state(key, index)))
    report.blocks++
  })
  report.records += head.recordCount
  if (damage.length === 0) damage.push(...verifyBooks(store, key, head))
  return damage
}

function verifyBlock(store: Store, key: PartitionKey, head: PartitionHead, index: number): void {
  const entry = head.blocks[index]!
  const block = decodeWholeBlock(decodeBlock(store.blocks.block(key, index)))
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
      throw new RangeError(`record ${entry.firstRecord + record} is no JSON: ${(error as Error).message}`)
    }
  }
}

function verifyBooks(store: Store, key: PartitionKey, head: PartitionHead): string[] {
  const opening = booksBefore(store, key, head)
  const read = (index: number) => store.blocks.block(key, index)
  const rebuilt = finishPartition(head.blocks.length, read, opening === null ? [] : decodeBooks(opening))
  const damage: string[] = []
  if (!Bun.deepEquals(rebuilt.blocks, head.blocks)) damage.push('head: its block index differs from the blocks')
  if (!Bun.deepEquals(rebuilt.books, head.books)) damage.push('head: its books differ from the blocks')
  if (!isSame(rebuilt.openingBooks, head.openingBooks))
    damage.push('head: its opening books differ from the day before')
  if (!isSame(rebuilt.closingBooks, head.closingBooks)) damage.push('head: its closing books differ from the blocks')
  rebuilt.states.forEach((state, i) => {
    if (!isSame(state, store.blocks.state(key, i + 1))) damage.push(`state ${i + 1}: differs from the blocks before it`)
  })
  return damage
}

/** Those that the day before closes with; where it cannot be read, which is told of it, the day's own. */
function booksBefore(store: Store, key: PartitionKey, head: PartitionHead): Uint8Array | null {
  try {
    const before = store.blocks.neighbour(key, 'before')
    return before === undefined ? null : (store.blocks.head({ ...key, date: before })?.closingBooks ?? null)
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return head.openingBooks
  }
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0
}
