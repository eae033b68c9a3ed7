// Goal: a record says which archive it is from, however often it is copied, and nothing of its message changes.

import { expect, test } from 'bun:test'
import { blockPart } from '../../../storage/block-store.ts'
import { decodeBlock } from '../../../storage/format/block.ts'
import { type BlockOrigins, type OwnRecords, sourcesOf } from '../../../storage/format/block-origins.ts'
import { loadBlock } from '../../../workers/block/block-builder.ts'
import { type DecodedBlock, decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import { ByteWriter } from '../../../workers/bytes/byte-writer.ts'
import type { CollectedPartition } from '../../../workers/partition/collected-partition.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { RecordWriter } from '../../../workers/table/record-writer.ts'
import { seeds } from '../../run/effort.ts'
import { collectLines } from '../../support/collected.ts'
import { MemoryPartition } from '../../support/stored-partition.ts'
import { OddMessages } from '../capture/odd-messages.ts'
import { RandomCapture } from '../load/random-capture.ts'

const SOURCES = ['pmxt-v2', 'pendulumflow-v3', undefined]

const oddLines = (seed: number) => {
  const odd = new OddMessages(seed)
  return Array.from({ length: 200 }, (_, i) => odd.next(i))
}

/** Each record as it is printed, and its source. */
function told({ key }: CollectedPartition, block: DecodedBlock): [string, string | undefined][] {
  const records = new RecordWriter(key.venue, key.market, block)
  return Array.from({ length: block.recordCount }, (_, record) => {
    const writer = new ByteWriter(256)
    records.write(writer, record)
    const { shape } = block.shapes[block.shapeIndexes[record]!]!
    return [new TextDecoder().decode(writer.bytes.subarray(0, writer.length)), shape.source]
  })
}

const blocksOf = ({ blocks }: CollectedPartition) =>
  blocks.map((block) => decodeWholeBlock(decodeBlock(loadBlock(block))))

const allOf = (partition: CollectedPartition) => blocksOf(partition).flatMap((block) => told(partition, block))

test.each(seeds(1, 2, 8))(
  'all that a capture of an archive holds is of it, and printed with its name, seed %d',
  (seed) => {
    for (const lines of [oddLines(seed), new RandomCapture(seed, seed % 2 === 0).lines(300)]) {
      const own = collectLines(lines)
      const archived = collectLines(lines, undefined, 'pmxt-v2')
      expect(own.length).toBeGreaterThan(0)
      const named = (record: string) => record.replace(',"msg":', ',"source":"pmxt-v2","msg":')
      expect(archived.map(allOf)).toEqual(own.map((day) => allOf(day).map(([record]) => [named(record), 'pmxt-v2'])))
      for (const block of own.flatMap(blocksOf))
        for (const { shape } of block.shapes) expect(shape).not.toContainKey('source')
      expect(archived.map(({ recordCount }) => recordCount)).toEqual(own.map(({ recordCount }) => recordCount))
    }
  },
)

test.each(seeds(1, 2, 12))('merges and joined blocks keep where each record is from, seed %d', (seed) => {
  const random = new Random(seed, 'sources')
  const lines = new RandomCapture(seed, true).lines(400)
  // Each line in one capture alone, some of them in its pieces one after the other.
  const captures = SOURCES.map((source) => ({ source, lines: [] as string[] }))
  for (const line of lines) captures[random.below(3)]!.lines.push(line)
  const days = new Map<
    string,
    { partition: MemoryPartition; said: [string, string | undefined][]; key: CollectedPartition }
  >()
  for (const { source, lines: all } of captures) {
    const middle = random.below(all.length)
    for (const piece of [all.slice(0, middle), all.slice(middle), all]) {
      for (const day of collectLines(piece, undefined, source)) {
        const name = `${day.key.venue} ${day.key.market} ${day.key.date}`
        if (!days.has(name)) days.set(name, { partition: new MemoryPartition(), said: [], key: day })
        days.get(name)!.partition.add(day)
        if (piece === all) days.get(name)!.said.push(...allOf(day))
      }
    }
  }
  expect(days.size).toBeGreaterThan(1)
  const seen = new Set<string | undefined>()
  for (const { partition, said, key } of days.values()) {
    const { head, bytes } = partition.stored!
    const stored = head.blocks.flatMap(({ id }) => told(key, decodeWholeBlock(decodeBlock(bytes(blockPart(id))))))
    const sourceOf = Map.groupBy(said, ([record]) => msgOf(record))
    for (const [record, source] of stored) {
      const sources = sourceOf.get(msgOf(record))!.map(([, each]) => each)
      expect(sources).toContain(source)
      if (new Set(sources).size === 1) expect(sources[0]).toBe(source)
    }
    for (const [, source] of stored) seen.add(source)
    expect(head.blocks.map(({ origins }) => origins)).toEqual(
      head.blocks.map(({ id }) => originsOf(key, decodeWholeBlock(decodeBlock(bytes(blockPart(id)))))),
    )
    const counts = Map.groupBy(stored, ([, source]) => source)
    counts.delete(undefined)
    const sources = [...counts].map(([source, records]) => ({ source: source!, records: records.length }))
    expect(sourcesOf(head)).toEqual(sources.sort((a, b) => (a.source < b.source ? -1 : 1)))
  }
  expect(seen.size).toBe(SOURCES.length)
})

/** What the head says of the block, from its records as they are printed. */
function originsOf(key: CollectedPartition, block: DecodedBlock): BlockOrigins | undefined {
  const records = told(key, block).map(([record, source], i) => {
    const { timestamp: ms, type } = JSON.parse(record) as { timestamp: number; type: string }
    return { source, book: block.books[i]!, ms, isTrade: type === 'trade' }
  })
  const names = [...new Set(records.flatMap(({ source }) => (source === undefined ? [] : [source])))].sort()
  if (names.length === 0) return undefined
  const own = [0, ...block.bookIds.map((_, i) => i + 1)].map((book): OwnRecords | null => {
    const of = records.filter((each) => each.source === undefined && each.book === book)
    const times = of.map(({ ms }) => ms)
    const trades = of.filter(({ isTrade }) => isTrade).length
    return of.length === 0 ? null : [of.length, Math.min(...times), Math.max(...times), trades]
  })
  return { sources: names.map((name) => [name, records.filter(({ source }) => source === name).length]), own }
}

const msgOf = (record: string): string => JSON.stringify((JSON.parse(record) as { msg: object }).msg)

test.each(['', 'PMXT', 'pmxt v2', 'a/b', 'x'.repeat(65)])('%p is no source', (source) => {
  expect(() => collectLines([], undefined, source)).toThrow(RangeError)
})
