// Compares the replay with a list of all records, for any sequence of moves and steps. Some of the blocks have no
// rows.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  ASK,
  BID,
  BLOCK_RECORDS,
  type ChangeBlock,
  GAP,
  LEVEL,
  NO_LEVEL,
  rowsThrough,
  SNAPSHOT,
} from '../data/replay/change-block.ts'
import { type Neighbour, Replay } from './replay.ts'
import { sortedLevels } from './replay-book.ts'

const DATE = '2026-07-20'
const PRICES = [0.4, 0.41, 0.42]

/** A record sets levels. It comes `waitMs` after the record before it. */
type MadeRecord = { waitMs: number; levels: { side: number; price: number; size: number }[] }
type Placed = { record: number; ms: number; bids: number[][]; asks: number[][] }
type Sides = [Map<number, number>, Map<number, number>]

const record = fc.record({
  waitMs: fc.nat(3),
  levels: fc.uniqueArray(
    fc.record({ side: fc.constantFrom(BID, ASK), price: fc.constantFrom(...PRICES), size: fc.nat(2) }),
    { selector: ({ side, price }) => `${side} ${price}`, maxLength: 3 },
  ),
}) as fc.Arbitrary<MadeRecord>
const made = fc.array(fc.array(record, { maxLength: 6 }), { minLength: 1, maxLength: 4 })

test('moves to any instant and any record', () => {
  fc.assert(
    fc.property(made, fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (blocks, choices, isByMs) => {
      const { chain, placed } = built(blocks)
      if (placed.length === 0) return
      const replay = start(chain[0]!)
      for (const choice of choices) {
        const at = placed[choice % placed.length]!
        expect(replay.moveTo(isByMs ? { ms: at.ms } : { date: DATE, ...at }, neighbourIn(chain))).toBe('there')
        expect(bookOf(replay)).toEqual(sidesOf(isByMs ? placed.findLast(({ ms }) => ms === at.ms)! : at))
      }
    }),
  )
})

test.each(['quote', 'change'] as const)('steps by %s forwards to the end and back to the beginning', (what) => {
  fc.assert(
    fc.property(made, (blocks) => {
      const { chain, placed } = built(blocks)
      const wanted = placed.filter((_, i) => differs(what, placed[i - 1] ?? EMPTY, placed[i]!))
      const replay = start(chain[0]!)
      const places: number[] = []
      let current: { date: string; record: number } | null = null
      for (const direction of [1, -1] as const) {
        for (;;) {
          const found = replay.step(direction, what, current, neighbourIn(chain))
          if (typeof found === 'string') {
            expect(found).toBe('none')
            break
          }
          expect(bookOf(replay)).toEqual(sidesOf(placed.find(({ record }) => record === found.record)!))
          current = { date: DATE, record: found.record }
          places.push(found.record)
        }
        // After the steps forwards, the last wanted record is the current one. The steps back do not return it again.
        if (direction === 1) current = wanted.length === 0 ? null : { date: DATE, record: wanted.at(-1)!.record }
      }
      const records = wanted.map(({ record }) => record)
      expect(places).toEqual([...records, ...records.toReversed().slice(1)])
    }),
  )
})

const acts = fc.array(fc.record({ act: fc.constantFrom('ms', 'record', 'on', 'back'), choice: fc.nat() }), {
  maxLength: 30,
})

test('moves and steps in any order, also to instants between records, before the first and after the last', () => {
  fc.assert(
    fc.property(made, acts, fc.constantFrom('quote', 'change'), (blocks, list, what) => {
      const { chain, placed } = built(blocks)
      if (placed.length === 0) return
      const replay = start(chain[0]!)
      for (const { act, choice } of list) {
        const at = placed[choice % placed.length]!
        if (act === 'ms') {
          const ms = at.ms + (choice % 3) - 1
          expect(replay.moveTo({ ms }, neighbourIn(chain))).toBe('there')
          expect(bookOf(replay)).toEqual(sidesOf(placed.findLast((each) => each.ms <= ms) ?? EMPTY))
        } else if (act === 'record') {
          expect(replay.moveTo({ date: DATE, ...at }, neighbourIn(chain))).toBe('there')
          expect(bookOf(replay)).toEqual(sidesOf(at))
        } else {
          const found = replay.step(act === 'on' ? 1 : -1, what as 'quote', null, neighbourIn(chain))
          if (typeof found === 'string') continue
          expect(bookOf(replay)).toEqual(sidesOf(placed.find((each) => each.record === found.record)!))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('continues with a block that has grown, from any place in it', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat(), (records, cut, choice) => {
      const { chain, placed } = built([records])
      const [whole] = chain as [ChangeBlock]
      const known = 1 + (cut % (placed.length - 1))
      const replay = start(firstRecords(whole, known))
      replay.moveTo({ date: DATE, ...placed[choice % known]! }, () => 'none')
      expect(replay.grow(whole)).toBe(true)
      expect(bookOf(replay)).toEqual(sidesOf(placed[choice % known]!))
      for (const at of [placed.at(-1)!, placed[choice % placed.length]!]) {
        replay.moveTo({ date: DATE, ...at }, () => 'none')
        expect(bookOf(replay)).toEqual(sidesOf(at))
      }
    }),
  )
})

test('does not continue with a block in which records have moved', () => {
  const size = (contracts: number) => ({ waitMs: 1, levels: [{ side: BID, price: 0.4, size: contracts }] })
  const [before] = built([[size(1), size(2)]]).chain as [ChangeBlock]
  const replay = start(before)
  const [merged] = built([[size(1), size(3), size(2)]]).chain as [ChangeBlock]
  expect(replay.grow(merged)).toBe(false)
  expect(replay.grow({ ...before, index: 1 })).toBe(false)
  expect(replay.grow(firstRecords(before, 1))).toBe(false)
  expect(replay.block).toBe(before)
})

test('reports unknowns: a block that is not loaded, and trust before a snapshot', () => {
  const { chain } = built([[{ waitMs: 1, levels: [{ side: BID, price: 0.4, size: 1 }] }], []])
  const replay = start(chain[0]!)
  expect(replay.moveTo({ ms: 5 }, () => 'later')).toBe('later')
  expect(replay.moveTo({ ms: 5 }, neighbourIn(chain))).toBe('there')
  expect(replay.book.trust).toBe('observed')

  const kinds = Uint8Array.of(LEVEL, SNAPSHOT, GAP)
  const records = Float64Array.of(0, 1, 2)
  const rows = { rows: 3, kinds, records, timesMs: records, sides: new Uint8Array(3).fill(NO_LEVEL) }
  const marked = start({ ...chain[1]!, index: 0, ...rows })
  marked.moveTo({ ms: 1 }, () => 'none')
  expect(marked.book.trust).toBe('established')
  marked.moveTo({ ms: 2 }, () => 'none')
  expect(marked.book.trust).toBe('lost')
  marked.moveTo({ ms: 0 }, () => 'none')
  expect(marked.book.trust).toBeNull()
})

/** Returns a block as it was when it had only `count` records. */
function firstRecords(block: ChangeBlock, count: number): ChangeBlock {
  const rows = rowsThrough(block, count - 1)
  const names = ['timesMs', 'records', 'kinds', 'sides', 'prices', 'before', 'after'] as const
  return { ...block, rows, ...Object.fromEntries(names.map((name) => [name, block[name].subarray(0, rows)])) }
}

const EMPTY: Placed = { record: -1, ms: 0, bids: [], asks: [] }

const start = (block: ChangeBlock) => new Replay(block, { record: null, bids: [], asks: [], trust: 'unknown' }, 0)

const bookOf = ({ book }: Replay) => ({ bids: sortedLevels(book.bids, BID), asks: sortedLevels(book.asks, ASK) })
const sidesOf = ({ bids, asks }: Placed) => ({ bids, asks }) as never

const neighbourIn =
  (chain: readonly ChangeBlock[]): Neighbour =>
  ({ index }, direction) =>
    chain[index + direction] ?? 'none'

/** Returns whether a step stops at a record. It does not stop at a record that changes no level. */
function differs(what: 'quote' | 'change', before: Placed, after: Placed): boolean {
  const shown = ({ bids, asks }: Placed) => (what === 'quote' ? [bids[0], asks[0]] : [bids, asks])
  return !Bun.deepEquals(shown(before), shown(after))
}

function built(blocks: readonly MadeRecord[][]): { chain: ChangeBlock[]; placed: Placed[] } {
  const sides: Sides = [new Map(), new Map()]
  const placed: Placed[] = []
  let ms = 1
  const chain = blocks.map((records, index) => {
    const rows: number[][] = []
    for (const [i, { waitMs, levels }] of records.entries()) {
      ms += waitMs
      const place = index * BLOCK_RECORDS + i
      for (const { side, price, size } of levels) {
        const before = sides[side]!.get(price) ?? 0
        if (before === size) continue
        if (size === 0) sides[side]!.delete(price)
        else sides[side]!.set(price, size)
        rows.push([ms, place, side, price, before, size])
      }
      placed.push({ record: place, ms, ...copyOf(sides) })
    }
    const [timesMs, places, sideColumn, prices, before, after] = [0, 1, 2, 3, 4, 5].map((column) =>
      Float64Array.from(rows, (row) => row[column]!),
    ) as Float64Array[]
    const [kinds, rowSides] = [new Uint8Array(rows.length), Uint8Array.from(sideColumn!)]
    const columns = { timesMs, records: places, kinds, sides: rowSides, prices, before, after }
    return { date: DATE, index, hasMore: index < blocks.length - 1, rows: rows.length, ...columns } as ChangeBlock
  })
  for (const block of chain) expect(rowsThrough(block, Infinity)).toBe(block.rows)
  return { chain, placed }
}

const copyOf = ([bids, asks]: Sides) => ({
  bids: [...bids].sort(([a], [b]) => b - a),
  asks: [...asks].sort(([a], [b]) => a - b),
})
