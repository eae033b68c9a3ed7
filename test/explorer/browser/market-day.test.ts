// A market's day in the browser: it is drawn, the ladder says what the API says, and nothing is complained of.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DEMO, type ServedDemo, serveDemo } from '../../support/demo.ts'
import { type Explorer, hasChromium, openExplorer } from '../../support/explorer/browser.ts'

const NOON = Date.parse(`${DEMO.date}T12:00:00Z`)

describe.skipIf(!hasChromium)('a market’s day', () => {
  let demo: ServedDemo
  let explorer: Explorer

  beforeAll(async () => {
    demo = await serveDemo()
    explorer = await openExplorer(demo.url)
  })
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]()
    await demo[Symbol.asyncDispose]()
  })

  test('opens from a link, with the ladder of its instant', async () => {
    const ticker = DEMO.kalshiTicker
    await using visit = await explorer.visit(
      `/explore/kalshi/${ticker}?at=${new Date(NOON).toISOString()}#key=${demo.secret}`,
    )
    const { page, complaints } = visit
    const rows = page.locator('.ladder tr.has-bid')
    await rows.first().waitFor()
    const query = new URLSearchParams({ ticker, timestamp: String(NOON) })
    const book = (await (await demo.get(`/kalshi/market/book?${query}`)).json()) as { bids: number[][] }
    const [prices, sizes] = [await rows.locator('th').allTextContents(), await rows.locator('.bid').allTextContents()]
    expect(prices.length).toBeGreaterThan(3)
    const digits = (value: number | undefined, places: number) => Number(value).toFixed(places)
    for (const [i, text] of prices.entries()) {
      const [price, contracts] = book.bids[i]!
      expect(digits(Number(text.replace('¢', '')), 2)).toBe(digits(price! * 100, 2))
      expect(digits(Number(sizes[i]!.replaceAll(',', '')), 2)).toBe(digits(contracts, 2))
    }
    expect(complaints).toEqual([])
  })
})
