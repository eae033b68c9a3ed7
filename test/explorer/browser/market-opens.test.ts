// long: a browser draws every view
// Opens a market: a settled market at its last book that has levels, and a part of a day at the book of its end. The
// title distinguishes the market from others of its series.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { capture, hasCaptures } from '../../support/captures.ts'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn, pixelsOf, pointAt } from '../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'

const SETTLED = 'KXGOLD15M-26AUG102000'
const FILES = [`${SETTLED}-00/2026-08-10.ndjson.gz`, `${SETTLED}-00/2026-08-11.ndjson.gz`, `${SETTLED}.json`]
const CLOSE_MS = Date.parse('2026-08-11T00:00:00Z')
const SETTLED_MS = CLOSE_MS + 5_459
/** Colour of the line on a dark page, #e4e8ef, in the byte order of a canvas. */
const LINE = 0xffefe8e4
const TENTHS = Array.from({ length: 20 }, (_, i) => 0.3 + i / 60)

describe.skipIf(!hasChromium)('a market opens', () => {
  const served = demoBrowser({ files: hasCaptures ? FILES.map((file) => capture(`kalshi/${file}`)) : [] })

  const clock = (page: Page) => page.locator('.ladder:not(.late) time')

  test.skipIf(!hasCaptures)('a settled one on the day that it was traded, at its last book', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${SETTLED}-00#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.locator('.ladder tbody tr:is(.has-bid, .has-ask)').first().waitFor()
    expect(await page.locator('.ladder h2').textContent()).toContain('2026-08-10')
    const title = 'Gold price up in next 15 mins? Target Price: $4,398.78'
    await page.locator('h1').getByText(title).waitFor()
    expect(await page.locator('.facts div').allTextContents()).toEqual([
      'eventGold 15 min · $4,398.78 target, Aug 10 - 7:45PM EDT to 8:00PM EDT',
      'strike≥ 4,398.78',
      'opens2026-08-10 23:45 UTC',
      'closes2026-08-11 00:00',
      'statusfinalized',
      'resultYes at 4,402.44',
      'settled00:00:05',
    ])
    await page.locator('.facts summary').click()
    await page.getByText('If the close price of the 1-minute candlestick for Gold').waitFor()
    expect(await page.getByRole('link', { name: 'On Kalshi' }).getAttribute('href')).toEndWith(SETTLED.toLowerCase())
    expect(await page.title()).toBe(`${title} · backbook`)
    expect(complaints).toEqual([])
  })

  test.skipIf(!hasCaptures)('with its close and its settlement as lines, and reads out their names', async () => {
    const shown = { fromMs: CLOSE_MS - 10_000, toMs: CLOSE_MS + 10_000, low: 0, high: 1 }
    const span = `from=${new Date(shown.fromMs).toISOString()}&to=${new Date(shown.toMs).toISOString()}&prices=0-1`
    await using visit = await served.explorer.visit(`/explore/kalshi/${SETTLED}-00?${span}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await isDrawn(page)
    await page.locator('.facts', { hasText: 'settled' }).waitFor()
    const pixels = await pixelsOf(page, shown)
    const isLine = (ms: number) => TENTHS.some((price) => pixels.around(ms, price).includes(LINE))
    expect([CLOSE_MS - 2_500, CLOSE_MS, CLOSE_MS + 2_500, SETTLED_MS].map(isLine)).toEqual([false, true, false, true])
    for (const [ms, name] of [
      [CLOSE_MS, 'close, strike ≥ 4,398.78'],
      [SETTLED_MS, 'settled: Yes at 4,402.44'],
    ] as const) {
      await pointAt(page, { ms, dollars: 0.5 }, shown)
      await page.locator('.read-out .why').getByText(name, { exact: true }).waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('a part of a day with the book at its end, also after a move', async () => {
    const span = 'from=2026-07-20T12:00:00Z&to=2026-07-20T12:00:20Z'
    await using visit = await served.explorer.visit(
      `/explore/kalshi/${DAY.kalshiTicker}?${span}#key=${served.demo.secret}`,
    )
    const { page, complaints } = visit
    await clock(page).getByText('12:00:20.000').waitFor()
    await page.keyboard.press('ArrowRight')
    await clock(page).getByText('12:00:22.000').waitFor()
    expect(complaints).toEqual([])
  })

  test('the book shown can be downloaded, and the name of the file has its instant', async () => {
    const span = 'from=2026-07-20T12:00:00Z&to=2026-07-20T12:00:20Z'
    await using visit = await served.explorer.visit(
      `/explore/kalshi/${DAY.kalshiTicker}?${span}#key=${served.demo.secret}`,
    )
    const { page, complaints } = visit
    await clock(page).waitFor()
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Book at the cursor/ }).check()
    await dialog.getByText(/^[\d.]+ k?B/i).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`backbook_kalshi_${DAY.kalshiTicker}_2026-07-20T120020.000Z_book.json`)
    expect(await dialog.locator('.failed').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
