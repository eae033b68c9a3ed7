// long: a browser draws every view
// A market as it opens: a settled one at the last book before it was cleared, a part of a day with the book of its end;
// named so that nobody takes it for another of its series.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { capture, hasCaptures } from '../../support/captures.ts'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'

const SETTLED = 'KXGOLD15M-26AUG102000'
const FILES = [`${SETTLED}-00/2026-08-10.ndjson.gz`, `${SETTLED}-00/2026-08-11.ndjson.gz`, `${SETTLED}.json`]

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
    await page.locator('header p').getByText('Aug 10 - 7:45PM EDT to 8:00PM EDT').waitFor()
    await page.locator('header p').getByText('settled: Yes, 2026-08-11 00:00:05.459 UTC').waitFor()
    expect(await page.title()).toBe(`${title} · backbook`)
    expect(complaints).toEqual([])
  })

  test('a part of a day with the book of its end, also once it is moved', async () => {
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

  test('the book that is shown can be taken away, and no two have one name', async () => {
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
