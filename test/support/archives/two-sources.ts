// One market from two sources, own recordings and an archive: each has dates of its own, and both share one date.

import { kalshiDelta, kalshiSnapshot, NOON, priceChange, book as snapshot, TICKER } from '../../model/lines.ts'
import { LOAD } from '../import/made-loads.ts'
import { TestStore } from '../store.ts'

const DAY_MS = 86_400_000
export const ARCHIVE = LOAD.source
export const ASSETS = { own: '111', archive: '222' }
const dateOf = (day: number) => new Date(NOON + day * DAY_MS).toISOString().slice(0, 10)
export const [SECOND, THIRD, FOURTH, FIFTH] = [dateOf(1), dateOf(2), dateOf(3), dateOf(4)] as const

const trade = (ms: number, id: string, price: string) => ({
  type: 'trade',
  sid: 1,
  seq: 7,
  msg: {
    ...{ market_ticker: TICKER, trade_id: id, ts_ms: NOON + ms },
    ...{ yes_price_dollars: price, no_price_dollars: '0.5000', count_fp: '2.00', taker_side: 'yes' },
  },
})
const changes = (startMs: number, price: string) =>
  [0, 1, 2, 3].map((i) => kalshiDelta(startMs + i * 60_000, price, `${i + 1}.00`))

/** Own recordings have the Kalshi market on dates 1, 2, 3 and 5, and the archive has it on dates 2 and 4. Each
 *  source has a different token of the Polymarket market. */
const LINES: Record<string, object[]> = {
  own: [
    kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
    ...[0, DAY_MS, 2 * DAY_MS, 4 * DAY_MS].flatMap((ms) => changes(ms + 1_000, '0.4100')),
    trade(DAY_MS + 5_000, 'own-1', '0.4100'),
    snapshot(0, [['0.40', '10']], [['0.45', '20']], ASSETS.own),
  ],
  [ARCHIVE]: [
    ...[DAY_MS, 3 * DAY_MS].flatMap((ms) => [
      kalshiDelta(ms, '0.2500', '3.00'),
      ...changes(ms + 2_000, '0.4300'),
      trade(ms + 7_000, `archive-${ms}`, '0.4300'),
    ]),
    snapshot(DAY_MS, [['0.50', '10']], [['0.55', '20']], ASSETS.archive),
    priceChange(DAY_MS + 500, { asset_id: ASSETS.archive, price: '0.51', size: '3', side: 'BUY' }),
  ],
}

/** Makes a store and loads these sources in this order. */
export async function storeOf(sources: string[]): Promise<TestStore> {
  const store = new TestStore()
  for (const source of sources) {
    const lines = LINES[source]!.map((line) => JSON.stringify(line))
    await store.loadLines(`${source}.ndjson`, lines, source === 'own' ? undefined : source)
    if (source === ARCHIVE) await store.store.catalogue.putLoads([LOAD])
  }
  await store.store.flushed()
  return store
}
