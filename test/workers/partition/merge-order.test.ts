// Goal: a capture and the stored records stand in the order of their times, stored ones first among equals, the same
// record once, and what both have fixes the order of what stands around it.

import { describe, expect, test } from 'bun:test'
import { mergeOrder, type RecordSequence, timeOrder } from '../../../workers/partition/merge-order.ts'

/** Records as `name@ms`; a name in brackets is a snapshot without a time, which stays before the next. */
function sequence(text: string): RecordSequence {
  const records = text.split(' ').filter((word) => word !== '')
  const names = records.map((record) => record.split('@')[0]!)
  return {
    count: records.length,
    timesMs: Float64Array.from(records, (record) => Number(record.split('@')[1])),
    isGlued: Uint8Array.from(names, (name) => (name.startsWith('[') ? 1 : 0)),
    isLoose: new Uint8Array(names.length),
    hashes: BigUint64Array.from(names, (name) => BigInt(Bun.hash(name))),
    checks: BigUint64Array.from(names, (name) => BigInt(Bun.hash.crc32(name))),
  }
}

function check(stored: string, incoming: string, expected: string, firstChanged?: number): void {
  const order = mergeOrder(sequence(stored), sequence(incoming))
  const [storedNames, incomingNames] = [stored, incoming].map((text) =>
    text.split(' ').map((word) => word.split('@')[0]!),
  )
  const merged = Array.from(order.sources, (source, i) => {
    const name = source >= 0 ? storedNames![source]! : incomingNames![-1 - source]!
    return `${name}@${order.timesMs[i]}`
  })
  expect(merged.join(' ')).toBe(expected)
  expect(order.count).toBe(merged.length)
  if (firstChanged !== undefined) expect(order.firstChanged).toBe(firstChanged)
}

describe('mergeOrder', () => {
  test('of nothing stored is the capture', () => check('', 'a@1 b@2', 'a@1 b@2', 0))
  test('of the same is the same', () => check('a@1 b@2', 'a@1 b@2', 'a@1 b@2', 2))
  test('of a part is the whole', () => check('a@1 b@2 c@3', 'b@2', 'a@1 b@2 c@3', 3))
  test('of what follows goes behind', () => check('a@1 b@2', 'b@2 c@2 d@3', 'a@1 b@2 c@2 d@3', 2))
  test('of what came before goes in front', () => check('c@3 d@4', 'a@1 b@2 c@3', 'a@1 b@2 c@3 d@4', 0))
  test('of other records of the same time goes behind the stored', () =>
    check('a@1 b@1', 'x@1 y@1', 'a@1 b@1 x@1 y@1', 2))
  test('interleaves by time', () => check('a@1 b@3 c@5', 'x@2 y@4 z@6', 'a@1 x@2 b@3 y@4 c@5 z@6', 1))
  test('fills a hole between what both have', () => check('a@1 c@1', 'a@1 b@1 c@1', 'a@1 b@1 c@1', 1))
  test('keeps a record as often as the one that has it most', () => {
    check('a@1 a@1', 'a@1', 'a@1 a@1', 2)
    check('a@1', 'a@1 a@1', 'a@1 a@1', 1)
  })
  test('goes by event time where the twin of the record before has another', () =>
    check('a@50', 'a@10 b@20', 'b@20 a@50', 0))
  test('keeps a snapshot without a time before its follower', () => {
    check('a@1 c@5', '[s]@2 x@6', 'a@1 c@5 [s]@6 x@6'.replace('[s]@6', '[s]@5'))
    check('a@1 c@5', '[s]@2 c@5', 'a@1 [s]@2 c@5')
  })
  test('keeps it there, too, where what stood before it in its capture has come behind its follower', () =>
    check('c@4 d@6', 'a@5 b@5 [s]@5 [t]@5 c@5', '[s]@4 [t]@4 c@4 a@5 b@5 d@6', 0))
  test('keeps two snapshots in a row in order', () => check('[t]@5 a@5', '[s]@5 [t]@5 a@5', '[s]@5 [t]@5 a@5'))
  test('lets nothing come between a stored snapshot and its follower', () => check('[s]@1 a@5', 'x@3', 'x@3 [s]@3 a@5'))
})

describe('timeOrder', () => {
  const check = (text: string, expected: number[]) => expect([...timeOrder(sequence(text))]).toEqual(expected)
  test('is stable', () => check('a@2 b@1 c@2 d@1', [1, 3, 0, 2]))
  test('takes a snapshot with its follower', () => check('a@5 [s]@1 b@7 c@2', [3, 0, 1, 2]))
})
