// A partition rebuilt from its records equals the stored one; each difference is named.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { DAY, kalshiDelta, kalshiGap, kalshiSnapshot, received, TICKER } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import { partitionDamage } from './check-partition.ts'

const key = { venue: 'kalshi', market: TICKER, date: DAY } as const
const memory = new MemoryPartition()
const lines = [
  kalshiSnapshot([['0.40', '10']]),
  kalshiDelta(5, '0.40', '-40'),
  kalshiGap(9),
  kalshiDelta(12, '0.40', '1'),
]
for (const [i, line] of lines.entries()) {
  for (const collected of collectLines([JSON.stringify(received(5 * i, line))])) memory.add(collected)
}
const stored = memory.stored!
const damageOf = (of: Partial<StoredPartition>) => partitionDamage(key, { ...stored, ...of }, null)
const withHead = (of: Partial<PartitionHead>) => damageOf({ head: { ...stored.head, ...of } })

test('nothing differs', () => expect(damageOf({})).toEqual([]))

test.each<[string, () => string[]]>([
  [
    'head: its books differ from the blocks',
    () => withHead({ books: stored.head.books.map((book) => ({ ...book, quoteCount: 9 })) }),
  ],
  ['head: its gaps differ from the blocks', () => withHead({ gaps: [] })],
  ['head: its inferred gaps differ from the blocks', () => withHead({ inferredGaps: [] })],
  [
    'head: its trades without a book differ from the blocks',
    () => withHead({ bookless: { tradeCount: 1, tradeVolume: '1' } }),
  ],
  [
    'head: its entry of block 0 differs from the block',
    () => withHead({ blocks: stored.head.blocks.map((block, i) => (i === 0 ? { ...block, lastMs: 1 } : block)) }),
  ],
  [
    'books: the opening books differ from the day before',
    () => damageOf({ books: { ...stored.books, opening: new Uint8Array(9) } }),
  ],
  ['books: the closing books differ from the blocks', () => damageOf({ books: { ...stored.books, closing: null } })],
])('%s', (what, find) => expect(find()).toEqual([what]))

test.each(['recordCount', 'tradeCount', 'firstMs', 'lastMs'] as const)('another %s', (name) => {
  const known = stored.head[name] + 1
  expect(withHead({ [name]: known })).toEqual([`head: its ${name} is ${known}, that of its blocks ${known - 1}`])
})

test('other books before it', () => {
  const { closing } = stored.books
  expect(partitionDamage({ ...key, date: '2026-08-11' }, stored, closing).length).toBeGreaterThan(0)
})
