// long: a browser draws every view
// The ends of the legend of sizes can be dragged and set the contrast of the depth map.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pixelsOf } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { delta, snapshot } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXLEGEND-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
const LINES = [
  snapshot(
    TICKER,
    T0,
    [
      ['0.4000', '100.00'],
      ['0.3700', '2500.00'],
    ],
    [['0.5000', '40.00']],
    1,
  ),
  delta(TICKER, T0 + 20_000, '0.3100', '80.00', 'yes', 2),
]
const SHOWN = { fromMs: T0, toMs: T0 + 20_000, low: 0.3, high: 0.7 }
const iso = (ms: number) => new Date(ms).toISOString()
const QUERY = `from=${iso(SHOWN.fromMs)}&to=${iso(SHOWN.toMs)}&prices=0.3-0.7&cut_low=10&cut_high=8000`

describe.skipIf(!hasChromium)('the legend of sizes', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('brightens the map as its end is dragged inwards, and a double click resets it', async () => {
    const address = `/explore/kalshi/${TICKER}?${QUERY}#key=${served.demo.secret}`
    await using visit = await served.explorer.visit(address, { height: 860 })
    const { page, complaints } = visit
    await isDrawn(page)
    const colour = async () => (await pixelsOf(page, SHOWN)).around(T0 + 10_000, 0.37)[0]!
    const before = await colour()
    const ramp = page.locator('.size-legend .ramp')
    const { x, y, width, height } = (await ramp.boundingBox())!
    await page.mouse.move(x + width - 4, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 40, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/cut_high=2000/)
    await page.locator('.size-legend', { hasText: '10 to 2,000' }).waitFor()
    const lightness = (pixel: number) => (pixel & 255) + ((pixel >> 8) & 255) + ((pixel >> 16) & 255)
    expect(lightness(await colour())).toBeGreaterThan(lightness(before))
    await ramp.dblclick()
    await page.waitForURL((url) => !url.searchParams.has('cut_high') && !url.searchParams.has('cut_low'))
    // The browser warns because the test reads pixels.
    expect(complaints.filter((each) => !each.includes('willReadFrequently'))).toEqual([])
  })
})
