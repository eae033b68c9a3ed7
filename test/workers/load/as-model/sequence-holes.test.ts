// A hole in the numbers of a subscription makes its books doubtful if the capture has the whole subscription, however
// the capture is loaded.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { headOfSource } from '../../../../storage/format/head-layers.ts'
import { loadCapture } from '../../../../workers/load/load-capture.ts'
import { deleteSource } from '../../../../workers/remove/delete-source.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { SequenceHoles } from '../../../../workers/venues/sequence-holes.ts'
import { partitionDamage } from '../../../../workers/verify/check-partition.ts'
import { loadTexts } from '../../../model/model.ts'
import { seeds } from '../../../run/effort.ts'
import { collectLines } from '../../../support/collected.ts'
import { type AnyStore, withStoreOf } from '../../../support/store.ts'
import { MemoryPartition } from '../../../support/stored-partition.ts'
import { expectSameRecords } from '../model-comparison.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const [ONE, TWO] = ['KXHOLE-1', 'KXHOLE-2'] as const

const line = (type: string, market: string, seq: number, ms: number, msg: object) =>
  JSON.stringify({ recv_ms: ms, event: { type, sid: 1, seq, msg: { market_ticker: market, ...msg } } })

const snapshot = (market: string, seq: number, ms: number) =>
  line('orderbook_snapshot', market, seq, ms, { yes_dollars_fp: [['0.1000', '10.00']] })

const delta = (market: string, seq: number, ms: number) =>
  line('orderbook_delta', market, seq, ms, {
    ...{ ts: new Date(ms).toISOString(), ts_ms: ms, side: 'yes', delta_fp: '1.00', price_dollars: '0.1000' },
  })

/** Returns changes of two markets of one subscription, in turn, one per second. A number is missing before each of
 *  `holes`. */
function subscription(changes: number, holes: number[]): string[] {
  const lines = [snapshot(ONE, 1, NOON), snapshot(TWO, 2, NOON)]
  let seq = 2
  for (let i = 1; i <= changes; i++) {
    seq += holes.includes(i) ? 2 : 1
    lines.push(delta(i % 2 === 1 ? ONE : TWO, seq, NOON + 1_000 * i))
  }
  return lines
}

const hole = (fromMs: number, toMs: number | null = null) => ({
  ...{ book: 1, reason: 'sequence_hole' as const, fromMs, toMs },
  levelsDiffering: null,
})

function gapsOf(captures: string[][], market: string) {
  const memory = new MemoryPartition()
  for (const lines of captures) {
    for (const collected of collectLines(lines)) if (collected.key.market === market) memory.add(collected)
  }
  const stored = memory.stored!
  expect(partitionDamage({ venue: 'kalshi', market, date: '2026-08-10' }, stored, null)).toEqual([])
  return stored.head.inferredGaps
}

describe('a hole among 200 steps', () => {
  const lines = subscription(200, [101])

  test('makes each book of the subscription doubtful from its last record before the hole', () => {
    expect(gapsOf([lines], ONE)).toEqual([hole(NOON + 99_000)])
    expect(gapsOf([lines], TWO)).toEqual([hole(NOON + 100_000)])
  })

  test('ends with the next snapshot of the book', () => {
    const ended = [...lines, snapshot(ONE, 204, NOON + 201_000)]
    expect(gapsOf([ended], ONE)).toMatchObject([{ reason: 'sequence_hole', toMs: NOON + 201_000 }])
    expect(gapsOf([ended], TWO)).toEqual([hole(NOON + 100_000)])
  })

  test('stays, whatever is loaded before it, after it, or twice', () => {
    const alone = lines.filter((text) => text.includes(TWO))
    for (const order of [
      [lines, alone],
      [alone, lines],
      [lines, lines],
      [alone, lines, alone],
    ])
      expect(gapsOf(order, TWO)).toEqual([hole(NOON + 100_000)])
  })

  test('also affects a book without a later record', () => {
    const quiet = lines.filter((text, i) => i < 102 || text.includes(ONE))
    expect(gapsOf([renumbered(quiet, 101)], TWO)).toEqual([hole(NOON + 100_000)])
  })
})

/** Renumbers the lines without a hole, except that one number is missing before line `holeAt + 1`. */
const renumbered = (lines: string[], holeAt: number): string[] =>
  lines.map((text, i) => text.replace(/"seq":\d+/, `"seq":${i + (i > holeAt ? 2 : 1)}`))

describe('finds no hole', () => {
  test('where more than 1 of 100 steps is not by 1', () => {
    expect(gapsOf([subscription(98, [50])], ONE)).toEqual([])
  })

  test('in a capture of one market of the subscription', () => {
    expect(gapsOf([subscription(400, [201]).filter((text) => text.includes(ONE))], ONE)).toEqual([])
  })
})

test('99 of 100 steps of a subscription must be by 1', () => {
  for (const [steps, isSound] of [
    [99, false],
    [100, true],
  ] as const) {
    const holes = new SequenceHoles()
    holes.note(1, 1, 1, NOON)
    for (let i = 1; i <= steps; i++) holes.note(1, 1 + i + Number(i >= 40), 1 + i, NOON + i)
    expect(holes.isSound(1)).toBe(isSound)
    expect([holes.countUpTo(1, 40), holes.countUpTo(1, 41)]).toEqual([0, 1])
    expect([holes.messageOf(1, 1), holes.messageOf(1, 2), holes.timeMs(1, 1)]).toEqual([41, undefined, NOON + 40])
  }
})

/** Returns random changes, snapshots and trades of two markets of a connection over midnight. A few messages are
 *  lost. */
function lossyConnection(random: Random): string[] {
  const lines: string[] = []
  const seqs = [0, 0, 0]
  let ms = Date.parse('2026-08-10T23:59:00Z')
  for (let i = 0; i < 240; i++) {
    ms += random.pick([0, 0, 1, 40, 2_500])
    const market = random.pick([ONE, TWO])
    const sid = random.chance(0.1) ? 2 : 1
    const seq = ++seqs[sid]!
    if (i > 2 && random.chance(0.01)) continue
    const text = random.chance(i < 2 ? 1 : 0.02) ? snapshot(market, seq, ms) : delta(market, seq, ms)
    lines.push(sid === 1 ? text : trade(market, seq, ms))
  }
  return lines
}

const trade = (market: string, seq: number, ms: number) =>
  JSON.stringify({
    recv_ms: ms,
    event: {
      ...{ type: 'trade', sid: 2, seq },
      msg: {
        ...{ market_ticker: market, trade_id: `t${seq}`, yes_price_dollars: '0.1000', count_fp: '1.00' },
        ...{ taker_side: 'yes', ts_ms: ms },
      },
    },
  })

test.each(seeds(1, 12, 60))('the same in every order of loading, as in the model, seed %d', async (seed) => {
  const random = new Random(seed, 'holes')
  const whole = lossyConnection(random)
  const captures = [whole, whole.filter((text) => text.includes(TWO)), whole.slice(random.below(100))]
  const orders = [captures, captures.toReversed(), [captures[1]!, captures[0]!, captures[2]!]]
  const seen = new Set<string>()
  for (const order of orders) {
    await withStoreOf('memory', async (store) => {
      for (const [index, lines] of order.entries()) await store.loadLines(`part-${index}`, lines)
      await expectSameRecords(
        store,
        loadTexts(
          order.map((lines) => lines.join('\n')),
          Date.now(),
        ),
      )
      const days = await Promise.all([ONE, TWO].map((market) => store.store.catalogue.heads('kalshi', market)))
      seen.add(JSON.stringify(days.flat().map(({ head }) => [head.sequenceHoles, head.inferredGaps])))
    })
  }
  expect(seen.size).toBe(1)
})

describe('a hole that an archive shows', () => {
  const lines = subscription(200, [101])
  const headOf = async (store: AnyStore) => (await store.store.catalogue.heads('kalshi', ONE))[0]!.head

  test.each(['before', 'after'])('is deleted with the archive, loaded %s own records', async (place) => {
    await withStoreOf('memory', async (store) => {
      const own = lines.filter((text) => text.includes(ONE))
      if (place === 'after') await store.loadLines('own', own)
      await store.loadLines('archive', lines, 'made')
      if (place === 'before') await store.loadLines('own', own)
      const { sequenceHoles, inferredGaps } = headOfSource(await headOf(store), 'made')!
      expect(sequenceHoles).toEqual([{ fromMs: NOON + 99_000 }])
      expect(inferredGaps).toEqual([hole(NOON + 99_000)])
      expect(headOfSource(await headOf(store), null)).toMatchObject({ inferredGaps: [] })
      await deleteSource(store.store, { venue: 'kalshi', market: ONE }, 'made')
      const left = await headOf(store)
      expect([left.recordCount, left.sequenceHoles, left.inferredGaps]).toEqual([101, undefined, []])
    })
  })
})

test('markets that are read in a second pass have the same holes', async () => {
  const lines = subscription(200, [101])
  await withStoreOf('memory', async (store) => {
    const path = join(store.folder, 'spilled')
    await Bun.write(path, lines.join('\n'))
    await loadCapture(store.store, store.folder, path, () => {}, 1)
    const days = await Promise.all([ONE, TWO].map((market) => store.store.catalogue.heads('kalshi', market)))
    expect(days.flat().map(({ head }) => head.sequenceHoles)).toEqual([
      [{ fromMs: NOON + 99_000 }],
      [{ fromMs: NOON + 100_000 }],
    ])
  })
})

test('the segment of a recorder has no holes: the recorder writes a gap where it misses a number', async () => {
  await withStoreOf('memory', async (store) => {
    const header = JSON.stringify({ backbook: 'segment', recorder: 'one', venue: 'kalshi' })
    await store.loadLines('segment', [header, ...subscription(200, [101])])
    const [day] = await store.store.catalogue.heads('kalshi', ONE)
    expect([day!.head.sequenceHoles, day!.head.inferredGaps]).toEqual([undefined, []])
  })
})

test('a printed hole needs its market and its time', async () => {
  await withStoreOf('memory', async (store) => {
    const wrong = [{ from: NOON }, { market: ONE, from: '12' }, { market: ONE, from: -1 }, { market: ONE, from: 0.5 }]
    const printed = wrong.map((value) => JSON.stringify({ backbook: 'sequence_hole', ...value }))
    const { rejects } = await store.loadLines('printed', [...subscription(4, []), ...printed])
    const reason = 'a sequence_hole must have `market`, a text, and `from`, whole Unix milliseconds'
    expect(rejects.map((reject) => reject.reason)).toEqual(wrong.map(() => reason))
  })
})
