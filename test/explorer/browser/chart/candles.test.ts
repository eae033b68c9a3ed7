// long: a browser draws every view
// Checks candles of the mid or of trades, and a line in %. The chart, the text below it and the table say what each is
// based on.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pixelsOf, pointAt } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXCANDLE-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
/** In the first candle, the mid moves from 45 to 47.5 cents, and trades go from 41 up to 62 and down to 43. From
 *  12:02 on, the spread is 30 cents. */
const LINES = [
  snapshot(TICKER, T0, [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  trade(TICKER, T0 + 2_000, '0.4100', '10.00', 1),
  trade(TICKER, T0 + 4_000, '0.6200', '30.00', 2),
  delta(TICKER, T0 + 20_000, '0.4500', '1.00', 'yes', 2),
  trade(TICKER, T0 + 30_000, '0.4300', '5.00', 3),
  snapshot(TICKER, T0 + 120_000, [['0.3000', '100.00']], [['0.4000', '40.00']], 3),
  delta(TICKER, T0 + 240_000, '0.2000', '1.00', 'yes', 4),
]
const SHOWN = { fromMs: T0, toMs: T0 + 240_000, low: 0.2, high: 0.8 }
/** Colour of candles that rose. */
const UP = 0xffa0d62f
const iso = (ms: number) => new Date(ms).toISOString()
const QUERY = `from=${iso(SHOWN.fromMs)}&to=${iso(SHOWN.toMs)}&prices=0.2-0.8&candle=60s`

describe.skipIf(!hasChromium)('candles and a line', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('show the mid or trades, and say which', async () => {
    const address = `/explore/kalshi/${TICKER}?${QUERY}&chart=candles#key=${served.demo.secret}`
    await using visit = await served.explorer.visit(address, { height: 1_000 })
    const { page, complaints } = visit
    const readOut = page.locator('.read-out')
    const point = (minutes: number) => pointAt(page, { ms: T0 + minutes * 60_000, dollars: 0.5 }, SHOWN)
    const hasWick = async (minutes: number) =>
      (await pixelsOf(page, SHOWN)).around(T0 + minutes * 60_000, 0.6).includes(UP)
    await isDrawn(page)
    await page.locator('.pane-name', { hasText: 'Candles of the mid price' }).waitFor()
    expect(await hasWick(0.5)).toBe(false)
    await point(0.5)
    await readOut.getByText('mid: open 45.0¢').waitFor()
    await page.getByRole('button', { name: 'of trades' }).click()
    await page.waitForURL(/chart=candles&candles=trades/)
    await page.locator('.pane-name', { hasText: 'Candles of trades' }).waitFor()
    // The first minute has a wick up to the trade at 62 cents. The minute without a trade has no candle.
    expect([await hasWick(0.5), await hasWick(1.5)]).toEqual([true, false])
    await point(0.5)
    await readOut.getByText('trades: open 41.0¢').waitFor()
    expect(await readOut.textContent()).toMatch(/trades: open 41.0¢.*high 62.0¢.*low 41.0¢.*close 43.0¢/)
    await point(1.5)
    await readOut.getByText('bid 45.0¢').waitFor()
    expect(await readOut.textContent()).not.toContain('trades')
    await page.locator('.as-table summary').click()
    const rows = page.locator('.as-table tbody tr')
    expect(await page.locator('.as-table thead').textContent()).toBe(
      'fromtrades: openhighlowclosespreadquotesboughtsold',
    )
    expect(await rows.nth(0).textContent()).toContain('41.0¢62.0¢41.0¢43.0¢')
    expect(await rows.nth(1).textContent()).toContain('––––')
    await page.keyboard.press('d')
    expect(await page.getByLabel('Trade candles').isChecked()).toBe(true)
    expect(complaints.filter((each) => !each.includes('willReadFrequently'))).toEqual([])
  })

  test('the line of the price is in %: of the mid, or of the last trade while the spread is wide', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${TICKER}?${QUERY}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.getByRole('button', { name: 'Line', exact: true }).click()
    await page.waitForURL(/chart=line/)
    await isDrawn(page)
    await page.locator('.pane-name', { hasText: 'Price in %' }).waitFor()
    const readOut = page.locator('.read-out')
    for (const [minutes, text] of [
      [0.1, 'mid 45%'],
      [1.5, 'mid 47.5%'],
      [2.5, 'last trade 43%'],
    ] as const) {
      await pointAt(page, { ms: T0 + minutes * 60_000, dollars: 0.5 }, SHOWN)
      await readOut.getByText(text, { exact: true }).waitFor()
    }
    for (const next of [/from/, /chart=candles/]) {
      await page.keyboard.press('c')
      await page.waitForURL((url) => next.test(url.search) && !url.search.includes('line'))
    }
    expect(complaints).toEqual([])
  })
})
