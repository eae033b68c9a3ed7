// One day of a copy: reads it, compares it with the same day of the target, and builds the change that copies it to the
// target.

import { createHash } from 'node:crypto'
import {
  type CarriedBooks,
  type LayerBooks,
  nameOfPart,
  type PartitionBooks,
  type StoredPart,
} from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { checkedBody, decodeBlock } from '../../storage/format/block.ts'
import { type Source, sourcesOf } from '../../storage/format/head-layers.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { decodeHead, encodeHead } from '../../storage/format/partition-head-codec.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { booksOfSource, layersOf } from '../layers/layer.ts'
import { storeOfSource } from '../layers/source-view.ts'
import { allParts, partsOfPartition } from '../partition/needed-parts.ts'
import { carriedInto } from '../partition/opening-books.ts'
import type { PartitionChange } from '../partition/partition-types.ts'
import { RecordWriter } from '../table/record-writer.ts'

/** For each source: the books at the start of the day, and the date of the earlier day whose closing books they are.
 *  Null if the day starts without books. */
export type Starts = ReadonlyMap<Source, CarriedBooks | null>

export type Day = {
  key: PartitionKey
  head: PartitionHead
  books: PartitionBooks
  parts: StoredPart[]
  starts: Starts
}

/** Reads all of a day, and checks each part. Rejects with DataError('block_corrupt'). */
export async function readDay(store: Store, key: PartitionKey, head: PartitionHead): Promise<Day> {
  const wanted = allParts(head)
  const fetched = await store.blocks.fetch(partsOfPartition(key, head))
  const parts = wanted.map((part) => {
    const bytes = fetched.bytes(key, part)
    readingOf(key, nameOfPart(part), () => checkedBody(bytes))
    return { ...part, bytes }
  })
  const books = fetched.books(key)
  const starts = new Map<Source, CarriedBooks | null>()
  for (const source of sourcesOf(head)) {
    starts.set(source, await startOf(storeOfSource(store, source), key, booksOfSource(books, source)))
  }
  return { key, head, books, parts, starts }
}

async function startOf({ catalogue, blocks }: Store, key: PartitionKey, books: LayerBooks) {
  const date = (await catalogue.neighbour(key, 'before'))?.date
  const carried = carriedInto(books, date)
  if (carried !== undefined || date === undefined) return carried ?? null
  const before = { ...key, date }
  return { date, closing: (await blocks.fetch([{ key: before, kind: 'books' }])).books(before).closing }
}

/** Returns a digest of the parts of all layers, and of their opening and closing books. Leaves out ids. Also leaves out
 *  what the day shows, because that depends on the neighbouring days. */
export function digestOf({ head, books, parts }: Day): string {
  const hash = createHash('sha256')
  const bytesOf = new Map(parts.map((part) => [nameOfPart(part), part.bytes]))
  for (const layer of layersOf(head, books)) {
    const ofParts = allParts(layer.head).map((part) => bytesOf.get(nameOfPart(part))!)
    for (const bytes of [layer.books.opening, layer.books.closing, ...ofParts]) {
      hash.update(`${bytes?.length ?? 'none'} `).update(bytes ?? '')
    }
  }
  return hash.digest('hex')
}

/** Returns whether a day has each record of another day, at least as often. */
export function hasRecordsOf(day: Day, other: Day): boolean {
  const counts = recordCounts(day)
  return [...recordCounts(other)].every(([record, count]) => count <= (counts.get(record) ?? 0))
}

/** Returns how often a day has each record, by the digest of the printed record. */
function recordCounts({ key, head, books, parts }: Day): Map<string, number> {
  const counts = new Map<string, number>()
  const writer = new ByteWriter(4_096)
  const ids = new Set(layersOf(head, books).flatMap((layer) => layer.head.blocks.map(({ id }) => id)))
  for (const { bytes } of parts.filter(({ kind, id }) => kind === 'block' && ids.has(id))) {
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

/** Returns the change of the target. Adds `by` to ids and revisions, so that they are greater than any that the
 *  target has used: no id names two parts, and older cursors are refused. `starts` are the books to carry along. */
export function changeOf(
  { key, head, books, parts }: Day,
  { before, starts, by }: { before: PartitionHead | null; starts: Starts; by: number },
): PartitionChange {
  const bringing = ({ opening, closing }: LayerBooks, source: Source): LayerBooks => {
    const start = starts.get(source) ?? null
    return { opening, closing, ...(start !== null && { carried: start }) }
  }
  const [only] = sourcesOf(head)
  const layers = books.layers?.map((layer) => ({ ...bringing(layer, layer.source), source: layer.source }))
  const { opening, closing } = books
  return {
    ...{ key, before, head: renumbered(head, by), removed: before === null ? [] : allParts(before) },
    books: layers === undefined ? bringing(books, only!) : { opening, closing, layers },
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
  ...(head.layers && {
    layers: head.layers.map((layer) => ({ ...layer, head: encodeHead(renumbered(decodeHead(layer.head), by)) })),
  }),
})
