// long: a browser draws every view
// Checks the axis of prices: labels of the best prices and the last trade match the ladder, and both sides can have
// prices.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXAXIS-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
const LINES = [
  snapshot(TICKER, T0, [['0.4000', '100.00']], [['0.5900', '40.00']], 1),
  trade(TICKER, T0 + 2_000, '0.4000', '12.50', 1),
  delta(TICKER, T0 + 4_000, '0.3700', '5.00', 'yes', 2),
  delta(TICKER, T0 + 10_000, '0.3900', '1.00', 'yes', 3),
]
const iso = (ms: number) => new Date(ms).toISOString()
const QUERY = `from=${iso(T0)}&to=${iso(T0 + 10_000)}&prices=0-1`
/** Records texts that canvases draw from now on, with their position. */
const WATCH = `
  globalThis.written = []
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    written.push([text, x, y])
    return fillText.call(this, text, x, y)
  }`

describe.skipIf(!hasChromium)('the axis of prices', () => {
  const served = demoBrowser({ moreLines: LINES })
  const open = async (more: string) => {
    const visit = await served.explorer.visit(`/explore/kalshi/${TICKER}?${QUERY}${more}#key=${served.demo.secret}`)
    await isDrawn(visit.page)
    await visit.page.locator('.ladder tbody tr.has-bid').first().waitFor()
    await visit.page.evaluate(WATCH)
    return visit
  }
  const written = (page: Page) => page.evaluate<[string, number, number][]>('written')

  test('labels bid, ask and last, without overlap', async () => {
    await using visit = await open(`&at=${iso(T0 + 1_000)}`)
    const { page, complaints } = visit
    await page.keyboard.press('n')
    await eventually(async () => {
      const places = new Map((await written(page)).map(([text, , y]) => [text, y]))
      const [bid, ask, last] = ['bid 40¢', 'ask 41¢', 'last 40¢'].map((text) => places.get(text))
      expect(bid! - ask!).toBeGreaterThanOrEqual(17)
      expect(Math.abs(bid! - last!)).toBeGreaterThanOrEqual(17)
    })
    expect(complaints).toEqual([])
  })

  test('has prices on both sides if the reader chooses so', async () => {
    await using visit = await open('')
    const { page, complaints } = visit
    const surface = page.locator('.pane .surface').first()
    const before = (await surface.boundingBox())!
    await page.locator('.menu summary').click()
    await page.getByRole('button', { name: 'on both sides' }).click()
    await page.waitForURL(/axes=both/)
    await eventually(async () => {
      const { x, width } = (await surface.boundingBox())!
      expect([x - before.x, before.width - width]).toEqual([72, 72])
    })
    const { width } = (await surface.boundingBox())!
    await eventually(async () => {
      const places = (await written(page)).filter(([text]) => /^40¢$/.test(text)).map(([, x]) => x)
      expect(Math.min(...places)).toBeLessThan(72)
      expect(Math.max(...places)).toBeGreaterThan(72 + width)
    })
    expect(complaints).toEqual([])
  })
})
