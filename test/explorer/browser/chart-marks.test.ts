// long: a browser draws every view
// What is drawn over the depth map: best prices however short they stood.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn, pixelsOf, pointAt } from '../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../support/explorer/demo-browser.ts'
import { delta, snapshot } from '../../support/replay/kalshi-lines.ts'

const T0 = Date.parse('2026-08-10T12:00:00Z')
const SECOND_MS = 1_000
/** A bid that stands for 7 ms. */
const BLIP = 'KXBLIP-26AUG'
const BLIP_LINES = [
  snapshot(BLIP, T0, [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  delta(BLIP, T0 + 500, '0.4500', '5.00', 'yes', 2),
  delta(BLIP, T0 + 507, '0.4500', '-5.00', 'yes', 3),
  delta(BLIP, T0 + 3 * SECOND_MS, '0.3900', '1.00', 'yes', 4),
  delta(BLIP, T0 + 1_840 * SECOND_MS, '0.4500', '5.00', 'yes', 5),
  delta(BLIP, T0 + 1_840 * SECOND_MS + 7, '0.4500', '-5.00', 'yes', 6),
  delta(BLIP, T0 + 3_600 * SECOND_MS, '0.3900', '1.00', 'yes', 7),
]
const BLIP_SHOWN = { fromMs: T0, toMs: T0 + 2 * SECOND_MS, low: 0.3, high: 0.7 }
/** The line of bids on a dark page, #6db8ff, as a canvas has it. */
const BID_LINE = 0xffffb86d

type Shown = { fromMs: number; toMs: number; low: number; high: number }

const iso = (ms: number) => new Date(ms).toISOString()

describe.skipIf(!hasChromium)('over the depth map the chart', () => {
  const served = demoBrowser({ moreLines: BLIP_LINES })

  const open = async (ticker: string, { fromMs, toMs, low, high }: Shown) => {
    const query = `from=${iso(fromMs)}&to=${iso(toMs)}&prices=${low}-${high}&cut_low=50&cut_high=5000`
    const visit = await served.explorer.visit(`/explore/kalshi/${ticker}?${query}#key=${served.demo.secret}`)
    await isDrawn(visit.page)
    return visit
  }

  test('draws a best price that stood for a few milliseconds', async () => {
    await using visit = await open(BLIP, BLIP_SHOWN)
    const { page, complaints } = visit
    // They are asked for once the rest is there.
    await pointAt(page, { ms: T0 + 503, dollars: 0.6 }, BLIP_SHOWN)
    await page.locator('.read-out .bid', { hasText: '45' }).waitFor()
    const pixels = await pixelsOf(page, BLIP_SHOWN)
    const isBid = (ms: number) => [0.449, 0.45, 0.451].some((price) => pixels.around(T0 + ms, price).includes(BID_LINE))
    expect([450, 503, 560].map(isBid)).toEqual([false, true, false])
    await pointAt(page, { ms: T0 + 560, dollars: 0.6 }, BLIP_SHOWN)
    await page.locator('.read-out .bid', { hasText: '40' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('draws what a best price reached within a pixel', async () => {
    const shown = { ...BLIP_SHOWN, fromMs: T0, toMs: T0 + 3_600 * SECOND_MS }
    await using visit = await open(BLIP, shown)
    const pixels = await pixelsOf(visit.page, shown)
    const kindsAt = (price: number) => new Set(pixels.around(T0 + 1_842 * SECOND_MS, price)).size
    expect([0.432, 0.47].map(kindsAt)).toEqual([2, 1])
  })
})
