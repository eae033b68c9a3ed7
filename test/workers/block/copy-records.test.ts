// Goal: a record that is copied from one block to another, column by column, prints to the same bytes.

import { expect, test } from 'bun:test'
import { decodeBlock } from '../../../storage/format/block.ts'
import { BlockBuilder, loadBlock } from '../../../workers/block/block-builder.ts'
import { BookTable } from '../../../workers/block/book-table.ts'
import { type DecodedBlock, decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import { QuoteClock } from '../../../workers/block/quote-clock.ts'
import { ByteWriter } from '../../../workers/bytes/byte-writer.ts'
import type { CollectedPartition } from '../../../workers/partition/collected-partition.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { RecordWriter } from '../../../workers/table/record-writer.ts'
import { collectLines } from '../../support/collected.ts'
import { OddMessages } from '../capture/odd-messages.ts'
import { RandomCapture } from '../load/random-capture.ts'

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
