// A summary of a day reads rollups if they are stored and cheaper, else blocks.

import { expect, test } from 'bun:test'
import type { BlockEntry, PartitionHead, RollupEntry } from '../../storage/format/partition-head.ts'
import { partsOfDay, planDay } from './plan-day.ts'

const MINUTE = 60_000
const START = Date.parse('2026-08-10T00:00:00Z')
const RECORDS = 1_000

/** Blocks of one book, with 1,000 records in ten minutes each. */
const blocks = Array.from(
  { length: 4 },
  (_, i): BlockEntry => ({
    ...{ id: 10 + i, stateId: 20 + i, firstRecord: RECORDS * i, recordCount: RECORDS, bytes: 1, tradeCounts: [] },
    ...{ firstMs: START + 10 * i * MINUTE, lastMs: START + (10 * i + 9) * MINUTE, bookRecords: [RECORDS] },
  }),
)
const rollup = (id: number, first: number, count: number, of: Partial<RollupEntry> = {}): RollupEntry => ({
  ...{
    id,
    firstRecord: RECORDS * first,
    recordCount: RECORDS * count,
    minutes: [10 * count],
    seconds: null,
    openMs: [-1],
  },
  ...of,
})
const headOf = (...rollups: RollupEntry[]) =>
  ({ blocks, rollups, books: [{ id: 'A' }], gaps: [] }) as unknown as PartitionHead
const range = (from: number, to: number, resolutionSeconds = 60) => ({
  fromMs: START + from * MINUTE,
  toMs: START + to * MINUTE - 1,
  resolutionSeconds,
})
const pieces = (head: PartitionHead, of: ReturnType<typeof range>) =>
  planDay(head, 0, of).pieces.map((piece) =>
    piece.kind === 'rollup' ? `rollup ${piece.id}` : `blocks ${piece.from}-${piece.to}`,
  )

test('rollups and the blocks between them', () => {
  expect(pieces(headOf(), range(0, 40))).toEqual(['blocks 0-4'])
  expect(pieces(headOf(rollup(1, 0, 1), rollup(2, 2, 2)), range(0, 40))).toEqual(['rollup 1', 'blocks 1-2', 'rollup 2'])
})

test('from the block in which the range begins, or the rollup that has it', () => {
  expect(planDay(headOf(), 0, range(15, 40)).firstBlock).toBe(1)
  expect(planDay(headOf(rollup(1, 0, 3)), 0, range(15, 40)).firstBlock).toBe(0)
  expect(planDay(headOf(), 0, range(-30, -20)).pieces).toEqual([])
  expect(planDay(headOf(), -1, range(0, 40)).pieces).toEqual([])
})

test('reads seconds if the resolution is not in whole minutes, and blocks if there are no seconds', () => {
  const head = headOf(rollup(1, 0, 2, { seconds: [100] }), rollup(2, 2, 2))
  expect(pieces(head, range(0, 40, 90))).toEqual(['rollup 1', 'blocks 2-4'])
  expect(planDay(head, 0, range(0, 40, 90)).pieces[0]).toMatchObject({ level: 'seconds' })
  expect(planDay(head, 0, range(0, 40, 120)).pieces[0]).toMatchObject({ level: 'minutes' })
})

test('a rollup with more rows than the records are worth is not read', () => {
  expect(pieces(headOf(rollup(1, 0, 1, { minutes: [83] })), range(0, 10))).toEqual(['rollup 1', 'blocks 1-4'])
  expect(pieces(headOf(rollup(1, 0, 1, { minutes: [84] })), range(0, 10))).toEqual(['blocks 0-4'])
})

test('where the end of the range cuts a row, the records from there on are read', () => {
  const cut = { ...range(0, 40), toMs: START + 25 * MINUTE + 500 }
  const { pieces: planned } = planDay(headOf(rollup(1, 0, 4)), 0, cut)
  const at = START + 25 * MINUTE
  expect(planned).toMatchObject([
    { kind: 'rollup', id: 1, beforeMs: at },
    { kind: 'blocks', from: 2, to: 4, fromMs: at, isLast: true },
  ])
  const open = headOf(rollup(1, 0, 4, { openMs: [START + 24 * MINUTE] }))
  expect(planDay(open, 0, cut).pieces).toHaveLength(1)
})

test('the parts that the pieces need, and those beyond the range only to the end', () => {
  const head = headOf(rollup(1, 0, 1))
  const of = range(0, 20)
  const plan = planDay(head, 0, of)
  expect(plan.pieces.map(({ isBeyond }) => isBeyond)).toEqual([false, false])
  const parts = (toEnd: boolean) =>
    partsOfDay(head, plan, { toMs: of.toMs, toEnd, isFirst: true }).map((part) =>
      part.kind === 'books' ? 'books' : `${part.kind} ${part.id}`,
    )
  expect(parts(false)).toEqual(['minutes 1', 'state 21', 'block 11', 'block 12'])
  expect(parts(true)).toEqual(['minutes 1', 'state 21', 'block 11', 'block 12', 'block 13'])
})

test('a switch of sources is reported before its rollup, and the state of its block is read', () => {
  const switched = blocks.map((block, i) => (i === 2 ? { ...block, begins: block.firstMs - 5 } : block))
  const head = { ...headOf(rollup(1, 0, 2), rollup(2, 2, 2)), blocks: switched }
  const plan = planDay(head, 0, range(0, 40))
  expect(plan.pieces.map(({ begins }) => begins)).toEqual([undefined, 2])
  const parts = partsOfDay(head, plan, { toMs: range(0, 40).toMs, toEnd: false, isFirst: true })
  expect(parts.map((part) => part.kind)).toEqual(['minutes', 'state', 'minutes'])
})
