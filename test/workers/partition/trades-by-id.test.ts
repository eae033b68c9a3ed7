// A trade of Kalshi is stored once, whichever captures have it, in whichever form and however often. The order of
// loading does not decide which of its forms is stored.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { capture, DAY, kalshiDelta, kalshiSnapshot, NOON, NOW, received, TICKER } from '../../model/lines.ts'
import { loadTexts } from '../../model/model.ts'
import { withStore } from '../../support/store.ts'
import { expectSameRecords } from '../load/model-comparison.ts'

const socket = (ms: number, id: string, more: object = {}) => ({
  ...{ type: 'trade', sid: 2, seq: 1 },
  msg: {
    ...{ trade_id: id, market_ticker: TICKER, yes_price_dollars: '0.4500', count_fp: '3.00', taker_side: 'yes' },
    ...{ ts_ms: NOON + ms, ...more },
  },
})
const old = (ms: number, id: string) => ({
  ...{ type: 'trade', sid: 2, seq: 1 },
  msg: { trade_id: id, market_ticker: TICKER, yes_price: 45, count: 3, ts: Math.floor((NOON + ms) / 1_000) },
})
const rest = (ms: number, id: string) => ({
  ...{ type: 'trade', ticker: TICKER },
  msg: {
    ...{ trade_id: id, ticker: TICKER, yes_price_dollars: '0.4500', count_fp: '3.00', taker_side: 'yes' },
    created_time: `${new Date(NOON + ms).toISOString().slice(0, -1)}123Z`,
  },
})
const FORMS = [socket, old, rest, (ms: number, id: string) => socket(ms, id, { ts: 1 })]

const tradesIn = async (texts: string[]): Promise<unknown[]> => {
  let found: unknown[] = []
  await withStore(async (store) => {
    for (const [i, text] of texts.entries()) await store.loadLines(`part-${i}`, text.split('\n'))
    await expectSameRecords(store, loadTexts(texts, NOW))
    found = (await store.records('kalshi', TICKER, DAY)).filter(({ type }) => type === 'trade').map(({ msg }) => msg)
  })
  return found
}

const start = received(0, kalshiSnapshot([['0.4000', '10.00']]))
const quiet = received(5_000, kalshiDelta(5_000, '0.4000', '1.00'))

test('twice in one capture', async () => {
  const [one, again] = [received(1_005, socket(1_000, 'T')), received(1_009, socket(1_000, 'T'))]
  expect(await tradesIn([capture(start, one, again, quiet)])).toEqual([socket(1_000, 'T').msg])
  expect(await tradesIn([capture(start, one, quiet, received(6_000, rest(1_000, 'T')))])).toHaveLength(1)
})

test.each(FORMS.flatMap((one, i) => FORMS.slice(i + 1).map((other) => [one, other] as const)))(
  'in two forms: the same is kept, whichever is first',
  async (one, other) => {
    const [a, b] = [one, other].map((form) => capture(start, received(1_005, form(1_400, 'T')), quiet))
    const stored = await tradesIn([a!, b!])
    expect(stored).toHaveLength(1)
    expect(await tradesIn([b!, a!])).toEqual(stored)
  },
)

test('a later capture whose clock has the trade a moment later', async () => {
  const later = received(1_500, rest(1_400, 'T'))
  expect(await tradesIn([capture(start, received(1_005, old(1_400, 'T'))), capture(later)])).toHaveLength(1)
})

test('trades with different ids stay separate', async () => {
  const lines = ['T', 'U', 'V'].map((id, i) => received(1_000 + i, socket(1_000, id)))
  expect(await tradesIn([capture(start, ...lines, quiet), capture(...lines)])).toHaveLength(3)
})

test.each([1, 2, 3, 4, 5, 6])('random captures of few trades, seed %d', async (seed) => {
  const random = new Random(seed, 'trades')
  const texts = Array.from({ length: 3 }, () => {
    const lines = Array.from({ length: 12 }, (_, i) => {
      const ms = 1_000 * i + 400
      if (random.chance(0.3)) return received(ms + 5, kalshiDelta(ms, '0.4000', '1.00'))
      const trade = random.below(i + 1)
      return received(ms + 5, random.pick(FORMS)(1_000 * trade + 300, `T${trade}`))
    })
    return capture(start, ...lines)
  })
  await tradesIn(texts)
})
