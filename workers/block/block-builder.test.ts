// Goal: a record that is copied from one block to another, column by column, prints to the same bytes.

import { expect, test } from 'bun:test'
import { decodeBlock } from '../../storage/format/block.ts'
import { collectLines } from '../../test/support/collected.ts'
import { OddMessages } from '../../test/workers/capture/odd-messages.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { Random } from '../synthetic/random.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { BlockBuilder, loadBlock } from './block-builder.ts'
import { BookTable } from './book-table.ts'
import { type DecodedBlock, decodeWholeBlock } from './decoded-block.ts'
import { QuoteClock } from './quote-clock.ts'

const oddLines = (seed: number) => {
  const odd = new OddMessages(seed)
  return Array.from({ length: 200 }, (_, i) => odd.next(i))
}

function printed({ key }: CollectedPartition, block: DecodedBlock): string[] {
  const records = new RecordWriter(key.venue, key.market, block)
  return Array.from({ length: block.recordCount }, (_, record) => {
    const writer = new ByteWriter(256)
    records.write(writer, record)
    return new TextDecoder().decode(writer.bytes.subarray(0, writer.length))
  })
}

const blocksOf = ({ blocks }: CollectedPartition) =>
  blocks.map((block) => decodeWholeBlock(decodeBlock(loadBlock(block))))

function copied(partition: CollectedPartition, order: (block: DecodedBlock) => number[]): DecodedBlock[] {
  const { venue, market } = partition.key
  const builder = new BlockBuilder(new BookTable(venue === 'kalshi' ? market : undefined), new QuoteClock())
  return blocksOf(partition).map((block) => {
    for (const record of order(block)) builder.pushStored(block, record, block.timesMs[record]!)
    return decodeWholeBlock(decodeBlock(loadBlock(builder.finish())))
  })
}

/** Copies some blocks of a partition into one, which has room for exactly their records. */
function copiedWhole(partition: CollectedPartition, blocks: DecodedBlock[], isWhole: boolean): Uint8Array {
  const { venue, market } = partition.key
  const builder = new BlockBuilder(new BookTable(venue === 'kalshi' ? market : undefined), new QuoteClock())
  for (const block of blocks) {
    if (isWhole) builder.pushBlock(block)
    else for (const record of all(block)) builder.pushStored(block, record, block.timesMs[record]!)
  }
  return loadBlock(builder.finish())
}

const all = ({ recordCount }: DecodedBlock) => Array.from({ length: recordCount }, (_, i) => i)

test.each([1, 2, 3, 4, 5, 6])('all records of capture %p', (seed) => {
  const partitions = [
    ...collectLines(oddLines(seed)),
    ...collectLines(new RandomCapture(seed, seed % 2 === 0).lines(300)),
  ]
  expect(partitions.length).toBeGreaterThan(2)
  for (const partition of partitions) {
    const copies = copied(partition, all)
    const expected = blocksOf(partition)
    expect(copies.flatMap((block) => printed(partition, block))).toEqual(
      expected.flatMap((block) => printed(partition, block)),
    )
    expect(copies.map(({ opensQuote }) => opensQuote)).toEqual(expected.map(({ opensQuote }) => opensQuote))
  }
})

test.each([21, 22, 23, 24, 25, 26, 27, 28])('whole blocks of capture %p are copied as their records are', (seed) => {
  const capture = new RandomCapture(seed, seed % 2 === 0).lines(400)
  const lines = oddLines(seed).flatMap((line, i) => [line, ...capture.slice(2 * i, 2 * i + 2)])
  const random = new Random(seed, 'whole')
  const cuts = [100, 200, 300, 400].map((end) => end + random.below(90))
  const parts = [0, ...cuts].flatMap((start, i) => collectLines(lines.slice(start, cuts[i])))
  const markets = Map.groupBy(parts, ({ key }) => `${key.venue} ${key.market} ${key.date}`)
  expect(Math.max(...[...markets.values()].map(({ length }) => length))).toBe(5)
  for (const [partition, ...others] of markets.values()) {
    const blocks = [partition!, ...others].flatMap(blocksOf)
    const asRecords = copiedWhole(partition!, blocks, false)
    expect(Buffer.compare(copiedWhole(partition!, blocks, true), asRecords)).toBe(0)
  }
})

test.each([11, 12, 13])('some records of capture %p, in another order', (seed) => {
  for (const partition of collectLines(oddLines(seed))) {
    const random = new Random(seed, 'order')
    const orders: number[][] = []
    const copies = copied(partition, (block) => {
      const order = Array.from({ length: 1 + random.below(60) }, () => random.below(block.recordCount))
      orders.push(order)
      return order
    })
    const expected = blocksOf(partition).flatMap((block, i) => {
      const lines = printed(partition, block)
      return orders[i]!.map((record) => lines[record])
    })
    expect(copies.flatMap((block) => printed(partition, block))).toEqual(expected as string[])
  }
})
