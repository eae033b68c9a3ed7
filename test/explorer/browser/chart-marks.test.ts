// long: a browser draws every view
// Checks the marks over the depth map: best prices, even if they lasted only a few ms, and trades. The shape of a
// trade's mark shows its side.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn, pixelsOf, pointAt } from '../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../support/explorer/demo-browser.ts'
import { delta, snapshot, trade } from '../../support/replay/kalshi-lines.ts'

const T0 = Date.parse('2026-08-10T12:00:00Z')
const SECOND_MS = 1_000
/** A market with a bid that lasts 7 ms. */
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
/** Colour of the line of bids on a dark page, #6db8ff, in the byte order of a canvas. */
const BID_LINE = 0xffffb86d

/** A market with enough trades to draw them in buckets: first bought, then sold, then both. */
const BUSY = 'KXBUSY-26AUG'
const tradesAt = (second: number, side: string, length = 150) =>
  Array.from({ length }, (_, i) =>
    trade(BUSY, T0 + second * SECOND_MS + i, '0.4500', '10.00', i).replace(
      '"taker_side":"yes"',
      `"taker_side":"${side}"`,
    ),
  )
const BUSY_LINES = [
  snapshot(BUSY, T0, [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  ...tradesAt(640, 'yes'),
  ...tradesAt(1_840, 'no'),
  ...tradesAt(2_740, 'yes', 75),
  ...tradesAt(2_741, 'no', 75),
  delta(BUSY, T0 + 3_600 * SECOND_MS, '0.3900', '1.00', 'yes', 2),
]
const BUSY_SHOWN = { fromMs: T0, toMs: T0 + 3_600 * SECOND_MS, low: 0.25, high: 0.65 }
/** Colours of buys and sells on a dark page, #2fd6a0 and #ff6f86, in the byte order of a canvas. */
const [BOUGHT, SOLD] = [0xffa0d62f, 0xff866fff]

type Shown = { fromMs: number; toMs: number; low: number; high: number }

const iso = (ms: number) => new Date(ms).toISOString()

describe.skipIf(!hasChromium)('over the depth map the chart', () => {
  const served = demoBrowser({ moreLines: [...BLIP_LINES, ...BUSY_LINES] })

  const open = async (ticker: string, { fromMs, toMs, low, high }: Shown) => {
    const query = `from=${iso(fromMs)}&to=${iso(toMs)}&prices=${low}-${high}&cut_low=50&cut_high=5000`
    const visit = await served.explorer.visit(`/explore/kalshi/${ticker}?${query}#key=${served.demo.secret}`, {
      height: 860,
    })
    await isDrawn(visit.page)
    return visit
  }

  test('draws a best price that lasted for a few milliseconds', async () => {
    await using visit = await open(BLIP, BLIP_SHOWN)
    const { page, complaints } = visit
    // The page requests these best prices after the rest is loaded.
    await pointAt(page, { ms: T0 + 503, dollars: 0.6 }, BLIP_SHOWN)
    await page.locator('.read-out .bid', { hasText: '45' }).waitFor()
    const pixels = await pixelsOf(page, BLIP_SHOWN)
    const isBid = (ms: number) => [0.449, 0.45, 0.451].some((price) => pixels.around(T0 + ms, price).includes(BID_LINE))
    expect([450, 503, 560].map(isBid)).toEqual([false, true, false])
    await pointAt(page, { ms: T0 + 560, dollars: 0.6 }, BLIP_SHOWN)
    await page.locator('.read-out .bid', { hasText: '40' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('draws the extremes of a best price within a pixel', async () => {
    const shown = { ...BLIP_SHOWN, fromMs: T0, toMs: T0 + 3_600 * SECOND_MS }
    await using visit = await open(BLIP, shown)
    const pixels = await pixelsOf(visit.page, shown)
    const kindsAt = (price: number) => new Set(pixels.around(T0 + 1_842 * SECOND_MS, price)).size
    expect([0.432, 0.47].map(kindsAt)).toEqual([2, 1])
  })

  test('labels its lines with their numbers, also at its ends', async () => {
    await using visit = await open(BLIP, BLIP_SHOWN)
    const { page } = visit
    await page.evaluate(`
      globalThis.written = []
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        written.push([text, y])
        return fillText.call(this, text, x, y)
      }`)
    await page.keyboard.press('t')
    await page.waitForURL(/zone=local/)
    const written = new Map(await page.evaluate<[string, number][]>('written.filter(([text]) => /¢$/.test(text))'))
    const { height } = (await page.locator('.pane .surface').first().boundingBox())!
    expect(written.get('30¢')! - written.get('70¢')!).toBe(height)
  })

  test('shows the side of many trades by shape, too', async () => {
    await using visit = await open(BUSY, BUSY_SHOWN)
    const surface = (await visit.page.locator('.pane .surface').first().boundingBox())!
    const pixels = await pixelsOf(visit.page, BUSY_SHOWN)
    // A mark is at the middle of its 10 px of the time axis, or at the middle of its first bucket if that is later.
    const place = (second: number) => {
      const apartMs = (10 * (BUSY_SHOWN.toMs - BUSY_SHOWN.fromMs)) / surface.width
      const ms = T0 + second * SECOND_MS + 2_500
      return Math.max(ms, (Math.floor(ms / apartMs) + 0.5) * apartMs)
    }
    const px = { ms: (BUSY_SHOWN.toMs - BUSY_SHOWN.fromMs) / surface.width, dollars: 0.4 / surface.height }
    const has = (second: number, up: number, colour: number) =>
      pixels.around(place(second) + 4 * px.ms, 0.45 + up * px.dollars).includes(colour)
    expect([-4, 4].map((up) => has(640, up, BOUGHT))).toEqual([true, false])
    expect([-4, 4].map((up) => has(1_840, up, SOLD))).toEqual([false, true])
    expect([-3, 3].map((up) => [has(2_740, up, BOUGHT), has(2_740, up, SOLD)])).toEqual([
      [false, true],
      [true, false],
    ])
  })
})
