// long: a browser draws every view
// Lists all markets of a date: from the start page, in every order, by words, and page by page.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'
import { snapshot } from '../../../support/replay/kalshi-lines.ts'

const T0 = Date.parse('2026-08-10T12:00:00Z')
const COUNT = 205
const EVENT = 'KXMANY-26AUG'
const tickers = Array.from({ length: COUNT }, (_, i) => `${EVENT}-T${String(i).padStart(3, '0')}`)
const markets = tickers.map((ticker, i) => ({
  ...{ ticker, event_ticker: EVENT, title: 'How many?' },
  yes_sub_title: `Above ${i}`,
}))
const LINES = [
  JSON.stringify({ event: { event_ticker: EVENT, title: 'Many markets' }, markets }),
  ...tickers.map((ticker, i) => snapshot(ticker, T0 + i, [['0.40', '100.00']], [['0.50', '100.00']], i + 1)),
]

/** Returns the markets that the page lists, in order. */
const listed = (page: Page) => page.locator('.day-markets tbody tr td:first-child > a').allTextContents()
const titles = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `How many? Above ${from + i}`)

describe.skipIf(!hasChromium)('the markets of a date', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('have pages, and the address has the offset of the page', async () => {
    await using visit = await served.explorer.visit(`/explore?date=2026-08-10#key=${served.demo.secret}`)
    const { page, complaints } = visit
    const isListed = (expected: string[]) => eventually(async () => expect(await listed(page)).toEqual(expected))
    await page.getByRole('link', { name: `All ${COUNT} markets of this day` }).click()
    await page.waitForURL(/\/explore\/kalshi\?date=2026-08-10$/)
    await isListed(titles(0, 100))
    await page.getByText(`${COUNT} markets, 1 to 100 are shown`).waitFor()
    expect(await page.getByRole('button', { name: 'Previous 100' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Next 100' }).click()
    await isListed(titles(100, 200))
    await page.getByRole('button', { name: 'Next 100' }).click()
    await page.waitForURL(/offset=200/)
    await isListed(titles(200, COUNT))
    expect(await page.getByRole('button', { name: 'Next 100' }).isDisabled()).toBe(true)
    await page.reload()
    await isListed(titles(200, COUNT))
    await page.goBack()
    await isListed(titles(100, 200))
    // A new filter starts at its first page.
    await page.getByLabel('Filter').fill('above 20')
    await page.keyboard.press('Enter')
    await isListed([20, 200, 201, 202, 203, 204].map((i) => `How many? Above ${i}`))
    expect(new URL(page.url()).search).toBe('?date=2026-08-10&q=above+20')
    await page.getByLabel('Filter').fill('nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('No market of this day has all of these words.').waitFor()
    await page.getByLabel('UTC day').fill('2026-08-09')
    await page.getByLabel('Filter').fill('')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is stored of this day.').waitFor()
    await page.goto(`${served.demo.url}/explore/kalshi?date=2026-08-10`)
    await page.getByRole('link', { name: 'Many markets' }).first().click()
    await page.waitForURL(/\/explore\/event\/kalshi\/KXMANY-26AUG\?date=2026-08-10/)
    expect(complaints.filter((each) => !/^console: Failed to load resource.*404/.test(each))).toEqual([])
  })

  test('are ordered by a click on a column, as the API orders them, and have stars', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi?date=${DAY.date}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    for (const [name, by] of [
      ['trades', 'trades'],
      ['contracts', 'volume'],
      ['market', 'market'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      const answer = await served.demo.get(`/kalshi/markets/active?date=${DAY.date}&by=${by}&limit=100`)
      const { data } = (await answer.json()) as { data: { market: string }[] }
      await eventually(async () => expect(await listed(page)).toEqual(data.map(({ market }) => market)))
      expect(await page.locator('th[aria-sort]').textContent()).toBe(name)
    }
    const star = page.getByRole('button', { name: `Watch ${DAY.kalshiTicker}` })
    await star.click()
    await page.goto(`${served.demo.url}/explore`)
    await page.getByRole('region', { name: 'Watched' }).getByRole('link', { name: DAY.kalshiTicker }).waitFor()
    expect(complaints).toEqual([])
  })
})
