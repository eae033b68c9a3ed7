// What a lease tells of a shard's books: never that something is stored which may not be.

import { describe, expect, test } from 'bun:test'
import type { MissingSince } from '../../../../src/record/connection/gap-tracker.ts'
import { HeldShard } from '../../../../src/record/sharing/held-shard.ts'
import { booksOf } from '../../../../src/record/sharing/shard-books.ts'
import { WantedShards } from '../../../../src/record/sharing/wanted-shards.ts'
import type { ShardHeard } from '../../../../storage/cluster/leases/leases.ts'

const FENCE = { lease: 'main/0001', holder: 'a:1', epoch: 3 }
const NEVER = { untilMs: null, books: null }
const shardOn = (heard: ShardHeard = NEVER) => new HeldShard({ fence: FENCE, heard })
const kalshi = (book: string) => ({ venue: 'kalshi' as const, book, market: book })
const connection = (untilMs: number, missing: Record<string, number | null>) => [
  {
    venue: 'kalshi' as const,
    untilMs,
    missing: Object.entries(missing).map(([book, sinceMs]): MissingSince => ({ book, market: book, sinceMs })),
  },
]
const storedUpTo = (count: number, from?: number) => ({
  count,
  waiting: from === undefined ? [] : [{ fence: FENCE, from }],
})

/** Since when each book is missing by what is told; what is not told anew is as it was told last. */
function tell(shard: HeldShard): Record<string, number> | null {
  const told = shard.tell()
  shard.told(told)
  return told.heard.books === null ? null : sinceOf(told.heard)
}
const sinceOf = (heard: ShardHeard) => Object.fromEntries(booksOf(heard).map(({ book, sinceMs }) => [book, sinceMs]))

describe('a shard', () => {
  test('is told as far as it is stored, and no further', () => {
    const shard = shardOn()
    shard.add([kalshi('A')], 100)
    expect(shard.isTold('kalshi', 'A')).toBe(false)
    expect(tell(shard)).toEqual({ A: 100 })
    expect(shard.isTold('kalshi', 'A')).toBe(true)
    shard.note(connection(200, { A: null }), 5, 201)
    shard.note(connection(300, { A: null }), 9, 301)
    expect(tell(shard)).toBeNull()
    shard.stored(storedUpTo(8))
    expect(tell(shard)).toEqual({ A: 200 })
    shard.stored(storedUpTo(20, 8))
    expect(shard.tell().heard).toEqual({ untilMs: 200, books: null })
    shard.stored(storedUpTo(20))
    expect(shard.tell().heard).toEqual({ untilMs: 300, books: null })
  })

  test('tells a book that misses something since then, and one that came later since it came', () => {
    const shard = shardOn()
    shard.add([kalshi('A'), kalshi('B'), kalshi('C')], 100)
    tell(shard)
    shard.note(connection(300, { A: null, B: 150, C: Number.NaN }), 1, 301)
    shard.add([kalshi('D')], 310)
    shard.stored(storedUpTo(1))
    expect(tell(shard)).toEqual({ A: 300, B: 150, C: 100, D: 310 })
    shard.note(connection(400, { A: null, B: null, C: null, D: null }), 2, 401)
    shard.remove('kalshi', ['A'])
    shard.stored(storedUpTo(2))
    expect(tell(shard)).toEqual({ B: 400, C: 400, D: 400 })
  })

  test('keeps what those missed who had it before until a gap of that is stored', () => {
    const before = shardOn()
    before.add([kalshi('A'), kalshi('B')], 100)
    before.note(connection(200, { A: null, B: 150 }), 1, 201)
    before.stored(storedUpTo(1))
    const shard = shardOn(before.tell().heard)
    expect(shard.before('kalshi', 'A')).toEqual({ market: 'A', untilMs: 200 })
    expect(shard.before('kalshi', 'B')).toEqual({ market: 'B', untilMs: 150 })
    shard.add([kalshi('A'), kalshi('N')], 500)
    expect(shard.before('kalshi', 'N')).toBeUndefined()
    // B is carried by nobody yet.
    shard.note(connection(600, { A: 200, N: null }), 1, 601)
    shard.stored(storedUpTo(1))
    expect(tell(shard)).toEqual({ A: 200, B: 150, N: 600 })
    shard.note(connection(700, { A: null, N: null }), 2, 701)
    expect(tell(shard)).toBeNull()
    shard.stored(storedUpTo(2))
    expect(tell(shard)).toEqual({ A: 700, B: 150, N: 700 })
    shard.forgetBefore(149, () => false)
    expect(shard.before('kalshi', 'B')).toBeDefined()
    shard.forgetBefore(151, (_, book) => book === 'B')
    expect(shard.before('kalshi', 'B')).toBeDefined()
    shard.forgetBefore(151, () => false)
    expect(shard.before('kalshi', 'B')).toBeUndefined()
  })

  test('is handed on with gaps that are told up to its end', () => {
    const shard = shardOn()
    shard.add([kalshi('A'), kalshi('B'), kalshi('C')], 100)
    const last = shard.last(connection(300, { A: null, B: 150, C: Number.NaN }), 320)
    expect(sinceOf(last)).toEqual({ A: 300, B: 320, C: 100 })
  })

  test('of a later epoch is told by its own lines alone', () => {
    const shard = shardOn()
    shard.add([kalshi('A')], 100)
    tell(shard)
    shard.note(connection(200, { A: null }), 4, 201)
    shard.stored({ count: 9, waiting: [{ fence: { ...FENCE, epoch: 2 }, from: 1 }] })
    expect(tell(shard)).toEqual({ A: 200 })
  })
})

test('markets are wanted by shards, each with all of its books until none is left', () => {
  const wanted = new WantedShards(4)
  const [shard] = wanted.add([{ venue: 'polymarket', market: '0x1', books: ['1'] }])
  wanted.add([{ venue: 'polymarket', market: '0x1', books: ['2'] }])
  expect(wanted.of(shard!)).toEqual([{ venue: 'polymarket', market: '0x1', books: ['1', '2'] }])
  expect(wanted.shardOf('polymarket', '2')).toBe(shard)
  expect(wanted.remove('polymarket', ['1', '9'])).toEqual(new Map([[shard!, ['1']]]))
  expect(wanted.of(shard!)).toEqual([{ venue: 'polymarket', market: '0x1', books: ['2'] }])
  wanted.remove('polymarket', ['2'])
  expect(wanted.of(shard!)).toEqual([])
  expect(wanted.has('polymarket', '2')).toBe(false)
})
