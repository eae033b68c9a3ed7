// long: a browser draws every view
// Checks the chart in the browser: the pixels of cells match the sizes in the slow model, and the texts of the page
// match the market's capture.

import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { CODES, codeOf } from '../../../explorer/charts/base/size-codes.ts'
import { colourTable } from '../../../explorer/charts/palette.ts'
import { loadTexts } from '../../model/model.ts'
import { type Ask, modelAsk } from '../../model/questions/model-ask.ts'
import { IS_LONG } from '../../run/effort.ts'
import { capture, hasCaptures } from '../../support/captures.ts'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn, pixelsOf, pointAt } from '../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'
import { delta, gap, snapshot, trade } from '../../support/replay/kalshi-lines.ts'

const TICKER = 'KXCHART-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
const SECOND_MS = 1_000
/** A book that is known from 2 s on, lost from 10 s to 14 s, and empty from 18 s to 22 s. */
const LINES = [
  snapshot(
    TICKER,
    T0 + 2 * SECOND_MS,
    [
      ['0.4000', '100.00'],
      ['0.3700', '2500.00'],
    ],
    [
      ['0.5000', '40.00'],
      ['0.4500', '700.00'],
    ],
    1,
  ),
  delta(TICKER, T0 + 5 * SECOND_MS, '0.3900', '12.34', 'yes', 2),
  trade(TICKER, T0 + 6 * SECOND_MS, '0.4000', '25.00'),
  gap(TICKER, T0 + 10 * SECOND_MS, T0 + 14 * SECOND_MS),
  snapshot(TICKER, T0 + 14 * SECOND_MS, [['0.4100', '60.00']], [['0.5200', '9000.00']], 1),
  snapshot(TICKER, T0 + 18 * SECOND_MS, [], [], 2),
  snapshot(TICKER, T0 + 22 * SECOND_MS, [['0.3800', '1.00']], [['0.5200', '333.00']], 3),
  delta(TICKER, T0 + 25.9 * SECOND_MS, '0.3100', '80.00', 'yes', 4),
]
const SHOWN = { fromMs: T0, toMs: T0 + 26 * SECOND_MS, low: 0.3, high: 0.7 }
/** Sizes of the colour scale, contracts; cells of fewer than 50 contracts are not drawn. */
const CUT_OFF = { lowest: 50, faintest: 50, highest: 5_000 }
const LONG_MS = 120_000
const NOW = Date.parse('2026-08-12T00:00:00Z')

const REAL = 'KXGOLD15M-26AUG050000-00'
const REAL_LINES = hasCaptures ? linesIn(capture(`kalshi/${REAL}/2026-08-05.ndjson.gz`)) : []
const REAL_FROM = Date.parse('2026-08-05T03:52:00Z')
const REAL_SHOWN = { fromMs: REAL_FROM, toMs: REAL_FROM + 24 * SECOND_MS, low: 0.25, high: 0.65 }
/** The marks of trades reach this far above and below their price, dollars. */
const BESIDE = 0.03

type Shown = { ticker: string; aggregate: string; fromMs: number; toMs: number; low: number; high: number }

const iso = (ms: number) => new Date(ms).toISOString()
const addressOf = ({ ticker, fromMs, toMs, low, high }: Omit<Shown, 'aggregate'>) =>
  `/explore/kalshi/${ticker}?from=${iso(fromMs)}&to=${iso(toMs)}&prices=${low}-${high}&cut_low=50&cut_high=5000`
const ADDRESS = addressOf({ ticker: TICKER, ...SHOWN })

describe.skipIf(!hasChromium)('the chart', () => {
  const served = demoBrowser({ moreLines: [...LINES, ...REAL_LINES] })
  let model: Ask

  beforeAll(() => {
    model = modelAsk(loadTexts([`${LINES.join('\n')}\n`], NOW), NOW)
  })

  const open = async (more = '', screen = {}) => {
    const visit = await served.explorer.visit(`${ADDRESS}${more}#key=${served.demo.secret}`, { height: 860, ...screen })
    await isDrawn(visit.page)
    return visit
  }

  /** Compares the cells that `isLookedAt` selects with the model, at pixels near their edges, where no line or mark
   *  is. Returns the number of cells. */
  const compareCells = async (page: Page, ask: Ask, shown: Shown, isLookedAt: (run: Run) => boolean) => {
    const { ticker, fromMs, toMs, aggregate } = shown
    const window = { ticker, start_timestamp: String(fromMs), end_timestamp: String(toMs - 1) }
    const cells = { resolution_ms: '100', price_step: '0.01', aggregate }
    const { data } = (await ask('/kalshi/market/depth-map', { ...window, ...cells })) as { data: Run[] }
    const pixels = await pixelsOf(page, shown)
    const table = colourTable({ palette: 'sides', isDark: true, ...CUT_OFF })
    const looked = data.filter((run) => run.price > shown.low && run.price < shown.high - 0.005 && isLookedAt(run))
    for (const { price, from, to, size } of looked) {
      const colours = pixels.around(from + (to - from) / 3, price + 0.0042)
      expect(colours).toContain(table[CODES + codeOf(size)]!)
    }
    return looked.length
  }

  test.each(['max', 'mean', 'last'])(
    'has each cell in the colour of its size (%s)',
    async (aggregate) => {
      await using visit = await open(aggregate === 'max' ? '' : `&aggregate=${aggregate}`)
      expect(await compareCells(visit.page, model, { ...SHOWN, ticker: TICKER, aggregate }, () => true)).toBe(10)
      expect(visit.complaints).toEqual([])
    },
    LONG_MS,
  )

  test.skipIf(!hasCaptures)(
    'has each cell of a real capture in the colour of its size',
    async () => {
      const ask = modelAsk(loadTexts([REAL_LINES.join('\n')], NOW), NOW)
      const shown = { ...{ ticker: REAL, aggregate: 'max' }, ...REAL_SHOWN }
      const window = { ticker: REAL, start_timestamp: String(shown.fromMs), end_timestamp: String(shown.toMs - 1) }
      const summary = await ask('/kalshi/market/orderbook-summary', { ...window, resolution: '1' })
      const quotes = summary['data'] as { best_bid_ohlc: { low: number }; best_ask_ohlc: { high: number } }[]
      const lowest = Math.min(...quotes.map(({ best_bid_ohlc }) => best_bid_ohlc.low))
      const highest = Math.max(...quotes.map(({ best_ask_ohlc }) => best_ask_ohlc.high))
      // The page is so high that a pixel near the edge of a row belongs to that row only.
      await using visit = await served.explorer.visit(`${addressOf(shown)}#key=${served.demo.secret}`, { height: 900 })
      await isDrawn(visit.page)
      const seen = await compareCells(visit.page, ask, shown, ({ price, from, to }) => {
        return to - from >= SECOND_MS && (price < lowest - BESIDE || price > highest + BESIDE)
      })
      expect(seen).toBeGreaterThan(30)
      expect(visit.complaints).toEqual([])
    },
    LONG_MS,
  )

  test('hatches and names times at which the book is unknown or lost, and no others', async () => {
    await using visit = await open()
    const { page } = visit
    const pixels = await pixelsOf(page, SHOWN)
    expect(pixels.kindsIn(T0 + 11 * SECOND_MS, T0 + 13.5 * SECOND_MS, 0.6)).toBeGreaterThan(1)
    // The snapshot at 22 s contradicts the empty book. The chart hatches the empty book as lost until that snapshot.
    expect(pixels.kindsIn(T0 + 18.2 * SECOND_MS, T0 + 19.8 * SECOND_MS, 0.607)).toBeGreaterThan(1)
    expect(pixels.kindsIn(T0 + 22.3 * SECOND_MS, T0 + 24.5 * SECOND_MS, 0.607)).toBe(1)
    for (const [second, reason, isLoss] of [
      [1, 'nothing recorded before this', false],
      [12, 'gap: disconnect', true],
      [20, 'empty book', false],
    ] as const) {
      await pointAt(page, { ms: T0 + second * SECOND_MS, dollars: 0.6 }, SHOWN)
      await page.locator(`.read-out .why${isLoss ? '.loss' : ':not(.loss)'}`, { hasText: reason }).waitFor()
    }
  })

  test('names a gap under the pointer, and no gap over candles elsewhere', async () => {
    await using visit = await open('&chart=candles&candle=1s')
    const { page } = visit
    const why = page.locator('.read-out .why')
    await pointAt(page, { ms: T0 + 12 * SECOND_MS, dollars: 0.6 }, SHOWN)
    await why.filter({ hasText: 'gap: disconnect' }).waitFor()
    await pointAt(page, { ms: T0 + 8.5 * SECOND_MS, dollars: 0.6 }, SHOWN)
    await page.locator('.read-out', { hasText: '12:00:08' }).waitFor()
    expect(await why.count()).toBe(0)
  })

  test('reads out the cell, its size and the best prices', async () => {
    await using visit = await open()
    const { page } = visit
    await pointAt(page, { ms: T0 + 8 * SECOND_MS, dollars: 0.37 }, SHOWN)
    const readOut = page.locator('.read-out')
    const texts = ['bid, largest in 100 ms 2,500', 'price 37', 'bid 40', 'ask 50', 'unchanged for 6.0 s']
    for (const hasText of texts) await readOut.filter({ hasText }).waitFor()
    await pointAt(page, { ms: T0 + 8 * SECOND_MS, dollars: 0.39 }, SHOWN)
    await readOut.filter({ hasText: '12.34' }).waitFor()
    await pointAt(page, { ms: T0 + 8 * SECOND_MS, dollars: 0.44 }, SHOWN)
    await readOut.filter({ hasText: 'size 0' }).waitFor()
  })

  test(
    'is moved, zoomed and read by keys alone',
    async () => {
      await using visit = await open()
      const { page, complaints } = visit
      const chart = page.getByRole('application')
      await chart.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await page.locator('.chart [aria-live=polite]', { hasText: '2026-08-10 12:00:13' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/at=2026-08-10T12:00:13/)
      await chart.blur()
      await page.keyboard.press('+')
      await page.waitForURL((url) => lengthOf(url) < 26 * SECOND_MS)
      const from = instantIn(page, 'from')
      await page.keyboard.press('Shift+ArrowRight')
      await page.waitForURL((url) => Date.parse(url.searchParams.get('from')!) > from + 10 * SECOND_MS)
      await page.keyboard.press('ArrowUp')
      await page.waitForURL((url) => url.searchParams.get('prices') !== '0.3-0.7')
      await page.keyboard.press('c')
      await page.waitForURL(/chart=candles/)
      await page.getByRole('button', { name: 'Candles', pressed: true }).waitFor()
      await page.keyboard.press('t')
      await page.waitForURL(/zone=local/)
      await page.keyboard.press('0')
      await page.waitForURL((url) => url.searchParams.get('from') === null && url.searchParams.get('prices') === null)
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )

  test('is also available as a table', async () => {
    await using visit = await open()
    await visit.page.getByText('As a table').click()
    await visit.page.locator('.as-table tbody tr', { hasText: /12:00:06.*40¢50¢10¢0250$/ }).waitFor()
  })

  test(
    'says what failed, and retries after the time that the server gave',
    async () => {
      await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
      const { page } = visit
      let refusals = 0
      const problem = { code: 'rate_limited', detail: 'More than 10 requests a second' }
      await page.route('**/market/depth-map?*', (route) => {
        if (refusals++ > 0) return route.continue()
        return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: problem })
      })
      await page.goto(served.demo.url + ADDRESS)
      await page.locator('.chart-failure', { hasText: 'More than 10 requests a second' }).waitFor()
      await page.locator('.chart-failure').waitFor({ state: 'detached' })
      await isDrawn(page)
      expect(refusals).toBeGreaterThan(1)
    },
    LONG_MS,
  )

  test('fits any screen, and the player’s bar covers no part of it', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${DAY.kalshiTicker}#key=${served.demo.secret}`)
    const { page } = visit
    for (const width of [360, 800, 1_280, 2_560]) {
      await page.setViewportSize({ width, height: 800 })
      if (IS_LONG) await page.reload()
      await isDrawn(page)
      await page.locator('.player').waitFor()
      await eventually(async () => {
        const html = page.locator('html')
        const pageWidth = await html.evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth)
        const [chart, minimap, player] = await Promise.all(['.chart', '.minimap', '.player'].map(boxOf(page)))
        expect([width, pageWidth]).toEqual([width, Math.min(width, pageWidth)])
        expect(chart!.x + chart!.width).toBeLessThanOrEqual(width)
        expect(minimap!.y + minimap!.height).toBeLessThanOrEqual(player!.y)
      })
    }
  })
})

type Run = { price: number; from: number; to: number; size: number }

const boxOf = (page: Page) => (selector: string) => page.locator(selector).boundingBox()
const instantIn = (page: Page, name: string) => Date.parse(new URL(page.url()).searchParams.get(name)!)
const lengthOf = ({ searchParams }: URL) => Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)

/** Reads a capture of several gzip members. */
function linesIn(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}
