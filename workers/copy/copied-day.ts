// One day of a copy: its content, how it compares with what the target has, and what it becomes in the target.

import { createHash } from 'node:crypto'
import { type CarriedBooks, nameOfPart, type PartitionBooks, type StoredPart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { checkedBody, decodeBlock } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { allParts } from '../partition/needed-parts.ts'
import { carriedInto } from '../partition/opening-books.ts'
import type { PartitionChange } from '../partition/partition-types.ts'
import { RecordWriter } from '../table/record-writer.ts'

/** `start` are the books that the day starts from, and the date of the day that closes with them; null where it starts
 *  from none. */
export type Day = {
  key: PartitionKey
  head: PartitionHead
  books: PartitionBooks
  parts: StoredPart[]
  start: CarriedBooks | null
}

/** Reads all of a day, and checks each part. Rejects with DataError('block_corrupt'). */
export async function readDay({ catalogue, blocks }: Store, key: PartitionKey, head: PartitionHead): Promise<Day> {
  const dateBefore = (await catalogue.neighbour(key, 'before'))?.date
  const before = dateBefore === undefined ? undefined : { ...key, date: dateBefore }
  const wanted = allParts(head)
  const fetched = await blocks.fetch([
    { key, kind: 'books' },
    ...(before === undefined ? [] : [{ key: before, kind: 'books' } as const]),
    ...wanted.map((part) => ({ key, ...part })),
  ])
  const parts = wanted.map((part) => {
    const bytes = fetched.bytes(key, part)
    readingOf(key, nameOfPart(part), () => checkedBody(bytes))
    return { ...part, bytes }
  })
  const books = fetched.books(key)
  const carried = carriedInto(books, dateBefore)
  if (carried !== undefined || before === undefined) return { key, head, books, parts, start: carried ?? null }
  return { key, head, books, parts, start: { date: before.date, closing: fetched.books(before).closing } }
}

/** Of all parts, and of the books that the day opens and closes with. Ids do not count. */
export function digestOf({ books: { opening, closing }, parts }: Day): string {
  const hash = createHash('sha256')
  for (const bytes of [opening, closing, ...parts.map(({ bytes }) => bytes)]) {
    hash.update(`${bytes?.length ?? 'none'} `).update(bytes ?? '')
  }
  return hash.digest('hex')
}

/** Whether a day has each record of another one, and as often. */
export function hasRecordsOf(day: Day, other: Day): boolean {
  const counts = recordCounts(day)
  return [...recordCounts(other)].every(([record, count]) => count <= (counts.get(record) ?? 0))
}

/** How often a day has each record, by the digest of the record as it is printed. */
function recordCounts({ key, parts }: Day): Map<string, number> {
  const counts = new Map<string, number>()
  const writer = new ByteWriter(4_096)
  for (const { bytes } of parts.filter(({ kind }) => kind === 'block')) {
    const block = readingOf(key, 'its blocks', () => decodeWholeBlock(decodeBlock(bytes)))
    const records = new RecordWriter(key.venue, key.market, block)
    for (let record = 0; record < block.recordCount; record++) {
      writer.length = 0
      records.write(writer, record)
      const name = createHash('sha256').update(writer.bytes.subarray(0, writer.length)).digest('base64')
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

/** The day as the target gets it. `by` is added to its ids and revisions, so that they begin above those that the
 *  target has used: an id never names two parts, and older cursors are refused. `start` are the books to bring. */
export function changeOf(
  { key, head, books: { opening, closing }, parts }: Day,
  { before, start, by }: { before: PartitionHead | null; start: CarriedBooks | null; by: number },
): PartitionChange {
  return {
    ...{ key, before, head: renumbered(head, by), removed: before === null ? [] : allParts(before) },
    books: { opening, closing, ...(start !== null && { carried: start }) },
    put: parts.map(({ bytes, ...part }) => ({ ...part, id: part.id + by, content: bytes })),
  }
}

const renumbered = (head: PartitionHead, by: number): PartitionHead => ({
  ...head,
  revision: head.revision + by,
  nextId: head.nextId + by,
  blocks: head.blocks.map((block) => ({
    ...block,
    id: block.id + by,
    stateId: block.stateId === 0 ? 0 : block.stateId + by,
  })),
  rollups: head.rollups.map((rollup) => ({ ...rollup, id: rollup.id + by })),
  edits: head.edits.map(([revision, record]): [number, number] => [revision + by, record]),
})
