// A capture and the stored records are merged by time, stored ones first among equals, shared records once. Shared
// records fix the order of the records around them.

import { describe, expect, test } from 'bun:test'
import { mergeOrder } from './merge-order.ts'
import { emptySequence, GAP_MARK, type RecordSequence, SNAPSHOT_MARK } from './record-sequence.ts'
import { timeOrder } from './run-order.ts'

/** Parses records written as `name@ms`, with microseconds as `name@ms.us`, or with a sequence number as `name@ms#seq`.
 *  A name in brackets is a snapshot without a time, which stays before the next record if that has the same ms, except
 *  a snapshot written as `[s|]`. All are of one book; `!` marks a gap, `*` a snapshot. */
function sequence(text: string): RecordSequence {
  const words = text.split(' ').filter((word) => word !== '')
  const records = words.map((word) => word.replace('|]', ']'))
  const names = records.map((record) => record.split('@')[0]!)
  const parts = records.map((record) => /@(\d+)(?:\.(\d+))?(?:#(\d+))?$/.exec(record)!)
  return {
    ...emptySequence(records.length),
    timesMs: Float64Array.from(parts, ([, ms]) => Number(ms)),
    fullUs: Float64Array.from(parts, ([, ms, us]) => (us === undefined ? Number.NaN : Number(ms) * 1_000 + Number(us))),
    sids: Int32Array.from(parts, ([, , , seq]) => (seq === undefined ? -1 : 1)),
    seqs: Float64Array.from(parts, ([, , , seq]) => Number(seq ?? -1)),
    isUntimed: Uint8Array.from(names, (name) => (name.startsWith('[') ? 1 : 0)),
    isGlued: Uint8Array.from(names, (name, i) => {
      return name.startsWith('[') && !words[i]!.includes('|') && parts[i]![1] === parts[i + 1]?.[1] ? 1 : 0
    }),
    marks: Uint8Array.from(names, (name) =>
      name.startsWith('!') ? GAP_MARK : name.startsWith('*') ? SNAPSHOT_MARK : 0,
    ),
    books: new Uint32Array(records.length).fill(1),
    hashes: BigUint64Array.from(names, (name) => BigInt(Bun.hash(name))),
    checks: BigUint64Array.from(names, (name) => BigInt(Bun.hash.crc32(name))),
  }
}

function check(stored: string, incoming: string, expected: string, firstChanged?: number): void {
  const order = mergeOrder(sequence(stored), sequence(incoming))
  const [storedNames, incomingNames] = [stored, incoming].map((text) =>
    text.split(' ').map((word) => word.split('@')[0]!.replace('|]', ']')),
  )
  const merged = Array.from(order.sources, (source, i) => {
    const name = source >= 0 ? storedNames![source]! : incomingNames![-1 - source]!
    const isLoose = order.looseSnapshots.includes(i) && i + 1 < order.count
    return `${isLoose ? name.replace(']', '|]') : name}@${order.timesMs[i]}`
  })
  expect(merged.join(' ')).toBe(expected)
  expect(order.count).toBe(merged.length)
  if (firstChanged !== undefined) expect(order.firstChanged).toBe(firstChanged)
}

describe('mergeOrder', () => {
  test('of nothing stored is the capture', () => check('', 'a@1 b@2', 'a@1 b@2', 0))
  test('of the same is the same', () => check('a@1 b@2', 'a@1 b@2', 'a@1 b@2', 2))
  test('of a part is the whole', () => check('a@1 b@2 c@3', 'b@2', 'a@1 b@2 c@3', 3))
  test('of later records goes after the stored ones', () => check('a@1 b@2', 'b@2 c@2 d@3', 'a@1 b@2 c@2 d@3', 2))
  test('of earlier records goes before the stored ones', () => check('c@3 d@4', 'a@1 b@2 c@3', 'a@1 b@2 c@3 d@4', 0))
  test('of other records of the same time goes after the stored ones', () =>
    check('a@1 b@1', 'x@1 y@1', 'a@1 b@1 x@1 y@1', 2))
  test('interleaves by time', () => check('a@1 b@3 c@5', 'x@2 y@4 z@6', 'a@1 x@2 b@3 y@4 c@5 z@6', 1))
  test('fills a hole between shared records', () => check('a@1 c@1', 'a@1 b@1 c@1', 'a@1 b@1 c@1', 1))
  test('keeps a record as many times as the side that has it most often', () => {
    check('a@1 a@1', 'a@1', 'a@1 a@1', 2)
    check('a@1', 'a@1 a@1', 'a@1 a@1', 1)
  })
  test('keeps the snapshot that ends a gap, even if it equals one before the gap', () => {
    check('*a@1 b@2', '!g@3 *a@3', '*a@1 b@2 !g@3 *a@3', 2)
    check('*a@1 !g@3 *a@3', '!g@3 *a@3', '*a@1 !g@3 *a@3', 3)
    check('*a@1 !g@3 *a@3', '*a@1 !g@3 *a@3', '*a@1 !g@3 *a@3', 3)
    check('*a@1 !g@3 *a@3', '!h@4 *a@4', '*a@1 !g@3 *a@3 !h@4 *a@4', 3)
    check('*a@1 !g@3 *a@3', '!h@4 *a@4 *a@5', '*a@1 !g@3 *a@3 !h@4 *a@4 *a@5', 3)
  })
  test('finds no record after a gap equal to one before it, but equal to a stored one after it', () => {
    check('*a@1 b@2', '!g@3 *a@3 b@3', '*a@1 b@2 !g@3 *a@3 b@3', 2)
    check('*a@1 b@2 !g@3 *a@3 b@3', '*a@1 b@2 !g@3 *a@3 b@3', '*a@1 b@2 !g@3 *a@3 b@3', 5)
    check('*a@1 b@2 c@5', '!g@3 *d@4 c@5', '*a@1 b@2 !g@3 *d@4 c@5', 2)
  })
  test('goes by event time if the twin of the record before has another time', () =>
    check('a@50', 'a@10 b@20', 'b@20 a@50', 0))
  test('keeps a snapshot without a time before its follower of the same ms', () => {
    check('a@1 c@6', '[s]@6 x@6', 'a@1 c@6 [s]@6 x@6', 2)
    check('a@1 c@5', '[s]@5 c@5', 'a@1 [s]@5 c@5', 1)
    check('a@5#1', '[s]@5 x@5', 'a@5 [s]@5 x@5', 1)
    check('c@5#3', '[s]@5 x@5#2', '[s]@5 x@5 c@5', 0)
  })
  test('places a snapshot without a time by its own time if its follower is later', () => {
    check('a@1 c@5', '[s]@2 x@6', 'a@1 [s]@2 c@5 x@6', 1)
    check('a@1 c@5', '[s]@2 c@5', 'a@1 [s]@2 c@5', 1)
    check('a@1 b@4 c@7', '[s]@5 c@5', 'a@1 b@4 [s]@5 c@7', 2)
    check('[s]@1 a@5', 'x@3', '[s]@1 x@3 a@5', 1)
  })
  test('notes which snapshots do not stay before the next record of the same ms', () => {
    check('[s]@1 a@5', 'x@1', '[s|]@1 x@1 a@5', 1)
    check('[s|]@1 x@1', 'y@1', '[s|]@1 x@1 y@1', 2)
    check('[s]@1 a@1', 'x@1', '[s]@1 a@1 x@1', 2)
    expect(mergeOrder(sequence('a@1'), sequence('[s]@2')).looseSnapshots).toEqual([1])
  })
  test('keeps a snapshot before its follower if an earlier record of its capture moves after the follower', () =>
    check('b@5 c@5 d@6', 'a@5 b@5 [s]@5 [t]@5 c@5', 'a@5 b@5 [s]@5 [t]@5 c@5 d@6', 0))
  test('goes by microseconds within one millisecond', () => {
    check('a@1.100 c@1.300', 'b@1.200 d@1.400', 'a@1 b@1 c@1 d@1', 1)
    check('b@1.200', 'a@1.100', 'a@1 b@1', 0)
    check('b@1.200', 'x@1', 'b@1 x@1', 1)
  })
  test('goes by seq if no finer time decides', () => {
    check('a@1#1 c@1#3', 'b@1#2 d@1#4', 'a@1 b@1 c@1 d@1', 1)
    check('a@1.200#1', 'b@1.100#2', 'b@1 a@1', 0)
    check('b@1.200#2', 'a@1.200#1', 'a@1 b@1', 0)
  })
  test('leaves the numbers of a subscription in order if another record of the same ms comes before one of them', () =>
    check('a@1#1 c@1#3', 'a@1#1 x@1 b@1#2', 'a@1 x@1 b@1 c@1'))
  test('keeps the order of each capture around the records that both have', () => {
    check('t@1.200 b@1.300', 't@1.200 a@1.100', 't@1 a@1 b@1', 1)
    check('b@1.300 t@1.200', 'c@1.400 t@1.200', 'b@1 c@1 t@1', 1)
  })
  test('places a snapshot that both have by the earlier of its times', () => {
    check('a@1 [s]@4 d@9', '[s]@3 c@7', 'a@1 [s]@3 c@7 d@9', 1)
    check('a@1 [s]@3 c@7', '[s]@4 d@9', 'a@1 [s]@3 c@7 d@9', 3)
    check('a@1 c@6 [s]@8 d@9', '[s]@6 c@6', 'a@1 [s]@6 c@6 d@9', 1)
    check('a@1 c@7 [s]@8 d@8', '[t]@6 [s]@6 b@6', 'a@1 [t]@6 [s]@6 b@6 c@7 d@8', 1)
  })
  test('moves a snapshot that both have before the earlier of its followers', () => {
    check('c@6 [s]@6 d@6', '[s]@6 c@6', '[s]@6 c@6 d@6', 0)
    check('[s]@6 d@6', '[s]@6 c@6', '[s]@6 d@6 c@6', 2)
    check('[s|]@6 x@6', '[s]@6 c@6', 'x@6 [s]@6 c@6', 0)
    check('a@1 [s]@6', '[s]@6 c@6', 'a@1 [s]@6 c@6', 2)
  })
  test('keeps two snapshots in a row in order', () => check('[t]@5 a@5', '[s]@5 [t]@5 a@5', '[s]@5 [t]@5 a@5'))
  test('lets nothing come between a stored snapshot and its follower', () =>
    check('[s]@5 a@5#3', 'x@5#2', 'x@5 [s]@5 a@5', 0))
})

describe('timeOrder', () => {
  const check = (text: string, expected: number[]) => expect([...timeOrder(sequence(text))]).toEqual(expected)
  test('is stable', () => check('a@2 b@1 c@2 d@1', [1, 3, 0, 2]))
  test('takes a snapshot with its follower', () => check('a@5 b@8 [s]@7 c@7 d@7', [0, 2, 3, 4, 1]))
})
