// long: a browser draws every view
// Shows an event on one page: its markets with prices and results; each market links to its day.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const EVENT = 'KXCUP-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
const market = (name: string, more: object) => ({
  ticker: `${EVENT}-${name}`,
  event_ticker: EVENT,
  title: 'Cup?',
  ...more,
})
const METADATA = {
  event: { event_ticker: EVENT, title: 'Who wins the cup?' },
  markets: [
    market('A', { yes_sub_title: 'Team A', result: 'yes' }),
    market('B', { yes_sub_title: 'Team B' }),
    market('C', { yes_sub_title: 'Team C' }),
  ],
}
const LINES = [
  JSON.stringify(METADATA),
  snapshot(`${EVENT}-A`, T0, [['0.4000', '100.00']], [['0.4000', '40.00']], 1),
  trade(`${EVENT}-A`, T0 + 2_000, '0.6000', '12.50', 1),
  delta(`${EVENT}-A`, T0 + 4_000, '0.3900', '1.00', 'yes', 2),
  snapshot(`${EVENT}-B`, T0, [['0.3000', '100.00']], [['0.5000', '40.00']], 1),
]

describe.skipIf(!hasChromium)('an event', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('has its markets in a table and their sum as a chart, and each market links to the event', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${EVENT}-A#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.getByRole('link', { name: 'Who wins the cup?' }).click()
    await page.waitForURL(/explore\/event\/kalshi\/KXCUP-26AUG$/)
    await page.locator('h1', { hasText: 'Who wins the cup?' }).waitFor()
    await page.locator('.event td', { hasText: 'Yes' }).waitFor()
    // The mid of A is 50 cents, the mid of B 40.
    const cells = await page.locator('.event tbody tr').evaluateAll(textsOf)
    expect(cells).toEqual([
      ['Team A', '60.0¢', '60%', '20.0¢', '12.5', '', 'Yes'],
      ['Team B', '–', '–', '20.0¢', '0', '', '–'],
      ['Team C', '–', '–', '–', '0', '', '–'],
    ])
    await page.getByRole('img', { name: 'Sum of the Yes prices' }).waitFor()
    await page.getByText('mids of 2 markets').waitFor()
    expect(await page.title()).toBe('Who wins the cup? · backbook')
    await page.getByRole('link', { name: 'Team B' }).click()
    await page.locator('.ladder tbody tr.has-bid').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/explore/kalshi/${EVENT}-B`)
    await page.goBack()
    await page.getByLabel('UTC day').fill('2026-08-09')
    await page.waitForURL(/date=2026-08-09/)
    await page.getByText('Nothing is stored of this day.').waitFor()
    // The browser itself reports the request for the day that is not stored.
    expect(complaints.filter((each) => !/^console: Failed to load resource.*404/.test(each))).toEqual([])
  })
})

type Row = { cells: ArrayLike<{ textContent: string }> }

/** Runs in the page. Returns the texts of the cells of each row. */
const textsOf = (rows: unknown[]): string[][] =>
  (rows as Row[]).map(({ cells }) => Array.from(cells, ({ textContent }) => textContent))
