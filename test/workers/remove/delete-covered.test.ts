// Goal: an archive that was loaded before the own recording can be cut back to what it would have brought after it.

import { expect, test } from 'bun:test'
import { rawFrames } from '../../../workers/import/formats/raw-frames.ts'
import { deleteCovered } from '../../../workers/remove/delete-covered.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { book, CONDITION, kalshiDelta, kalshiSnapshot, NOON, priceChange, TICKER } from '../../model/lines.ts'
import { importText } from '../../support/import/import-text.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const SECOND = 1_000
const DAY_MS = 86_400_000
const SOURCE = rawFrames.source

const tradeAt = (ms: number, size: number) => ({
  ...{ event_type: 'last_trade_price', market: CONDITION, asset_id: 'A', price: '0.4', side: 'BUY' },
  ...{ size: String(size), timestamp: String(NOON + ms) },
})
const gapOf = (fromMs: number, toMs: number) => [
  { type: 'gap', venue: 'polymarket', asset_id: 'A', market: CONDITION, msg: gapMsg(fromMs, toMs) },
  { type: 'gap', venue: 'kalshi', ticker: TICKER, msg: gapMsg(fromMs, toMs) },
]
const gapMsg = (fromMs: number, toMs: number) => ({ reason: 'disconnect', from: NOON + fromMs, to: NOON + toMs })
const snapshots = (ms: number) => [
  book(ms, [['0.4', '5']], []),
  { recv_ms: NOON + ms, event: kalshiSnapshot([['0.2000', '5.00']]) },
  kalshiDelta(ms, '0.2000', '1.00'),
]

/** Some minutes of both venues over two days, with gaps where it is the own recording. */
function linesOf(seed: number, isOwn: boolean): string[] {
  const random = new Random(seed, isOwn ? 'own' : 'archive')
  const lines: object[] = []
  const hasTrades = random.chance(0.5)
  for (const startMs of [0, 13 * 3_600 * SECOND]) {
    let ms = startMs + random.below(300) * SECOND
    const endMs = startMs + (400 + random.below(600)) * SECOND
    lines.push(...snapshots(ms))
    while (ms < endMs) {
      ms += 1 + random.below(20 * SECOND)
      if (isOwn && random.below(20) === 0) {
        const toMs = ms + random.below(120 * SECOND)
        lines.push(...gapOf(ms, toMs), ...snapshots(toMs))
        ms = toMs
        continue
      }
      const size = 1 + random.below(50)
      const kind = random.below(hasTrades ? 3 : 2)
      if (kind === 0) lines.push(priceChange(ms, { price: '0.3', size: String(size) }))
      if (kind === 1) lines.push(kalshiDelta(ms, '0.2000', `${size}.00`))
      if (kind === 2) lines.push(tradeAt(ms, size))
    }
  }
  return lines.map((line) => JSON.stringify(line))
}

async function recordsOf(tested: TestStore) {
  const found: Record<string, unknown> = {}
  for (const [venue, market] of [
    ['polymarket', CONDITION],
    ['kalshi', TICKER],
  ] as const) {
    for (const date of await tested.dates(venue, market)) {
      found[`${market} ${date}`] = await tested.records(venue, market, date)
    }
  }
  return found
}

async function cutBack({ store }: TestStore, isDry: boolean): Promise<number> {
  let count = 0
  for (const [venue, market] of [
    ['polymarket', CONDITION],
    ['kalshi', TICKER],
  ] as const) {
    const days = await deleteCovered(store, { venue, market, source: SOURCE, isDry })
    for (const { records } of days) count += records
  }
  store.refresh()
  return count
}

const load = (store: TestStore, lines: string[]) =>
  importText(store, rawFrames, 'frames.ndjson', `${lines.join('\n')}\n`, { loadingMs: NOON + 2 * DAY_MS })

test.each(Array.from({ length: 20 }, (_, seed) => seed))('as if it had been loaded after it, seed %d', (seed) => {
  const [own, archive] = [linesOf(seed, true), linesOf(seed, false)]
  return withStore((after) =>
    withStore(async (before) => {
      await after.loadLines('own', own)
      const { leftOut } = await load(after, archive)
      expect(leftOut).toBeGreaterThan(0)
      await load(before, archive)
      await before.loadLines('own', own)
      before.store.refresh()
      const mixed = await recordsOf(before)
      const found = await cutBack(before, true)
      expect(await recordsOf(before)).toEqual(mixed)
      expect(found).toBeGreaterThan(0)
      expect(await cutBack(before, false)).toBe(found)
      expect(await recordsOf(before)).toEqual(await recordsOf(after))
      expect(await cutBack(before, false)).toBe(0)
      expect(await verifyStore(before.store)).toMatchObject({ damage: [], storeDamage: [] })
    }),
  )
})
