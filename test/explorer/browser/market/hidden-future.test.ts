// long: a browser draws every view
// Checks replay with the future hidden: two markets that differ only after the cursor look and read the same.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const T0 = Date.parse('2026-08-10T12:00:00Z')
const MINUTE_MS = 60_000
const HALF_MS = T0 + 30 * MINUTE_MS
const [CALM, WILD] = ['KXSAMEA-26AUG', 'KXSAMEB-26AUG']
const iso = (ms: number) => new Date(ms).toISOString()

const before = (ticker: string) => [
  snapshot(ticker, T0, [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  ...Array.from({ length: 30 }, (_, i) => delta(ticker, T0 + i * MINUTE_MS, '0.3900', '5.00', 'yes', i + 2)),
  trade(ticker, T0 + 10 * MINUTE_MS, '0.4500', '12.00', 1),
  // This trade is the cursor's record. In the WILD market, a change with the same time comes after it.
  trade(ticker, HALF_MS, '0.4600', '7.00', 2),
]
const metadata = (ticker: string, more: object) =>
  JSON.stringify({
    market: { ticker, event_ticker: `${ticker}-E`, title: 'Same?', open_time: iso(T0 - MINUTE_MS), ...more },
  })
const CALM_LINES = [
  ...before(CALM),
  delta(CALM, HALF_MS + 20 * MINUTE_MS, '0.3900', '1.00', 'yes', 32),
  metadata(CALM, { status: 'active', close_time: iso(HALF_MS + 25 * MINUTE_MS) }),
]
/** A market in which everything changes after the cursor's time. */
const WILD_LINES = [
  ...before(WILD),
  delta(WILD, HALF_MS, '0.4500', '9000.00', 'yes', 32),
  ...Array.from({ length: 60 }, (_, i) => trade(WILD, HALF_MS + 1 + i * 7_000, '0.9000', '500.00', 3 + i)),
  snapshot(WILD, HALF_MS + 8 * MINUTE_MS, [['0.8900', '70000.00']], [['0.0500', '90000.00']], 90),
  delta(WILD, HALF_MS + 14 * MINUTE_MS, '0.9000', '80000.00', 'yes', 91),
  metadata(WILD, {
    ...{ status: 'finalized', result: 'yes', close_time: iso(HALF_MS + 15 * MINUTE_MS) },
    settlement_ts: iso(HALF_MS + 16 * MINUTE_MS),
  }),
]

/** A market without records after the cursor's time. */
const QUIET = 'KXSAMEC-26AUG'
const QUIET_LINES = [...before(QUIET), metadata(QUIET, { status: 'active', close_time: iso(HALF_MS) })]

/** How each market's row on the event's page ends if the future is not hidden. */
const RESULTS: Record<string, RegExp> = { [CALM]: /19–$/, [WILD]: /Yes$/, [QUIET]: /19–$/ }

describe.skipIf(!hasChromium)('with the future hidden', () => {
  const served = demoBrowser({ moreLines: [...CALM_LINES, ...WILD_LINES, ...QUIET_LINES] })
  const open = async (ticker: string, more: string) => {
    const visit = await served.explorer.visit(`/explore/kalshi/${ticker}?${more}#key=${served.demo.secret}`)
    await isDrawn(visit.page)
    await visit.page.locator('.ladder:not(.late) tr.has-bid').first().waitFor()
    return visit
  }
  const at = `at=${iso(HALF_MS)}`

  test.each([
    [
      'the map of the day, with lists, studies and the table',
      `${at}&record=32&studies=vwap,delta,imbalance,depth,profile`,
    ],
    ['the best prices after each record', `from=${iso(HALF_MS - 9_000)}&to=${iso(HALF_MS + 9_000)}&${at}&record=32`],
    ['candles', `${at}&record=32&chart=candles&candle=300s`],
    ['candles of trades', `${at}&record=32&chart=candles&candles=trades&candle=300s`],
    ['the price as a line', `${at}&record=32&chart=line`],
    ['large trades, up to an instant between records', `at=${iso(HALF_MS - 1)}&trades_from=5`],
    ['no cursor', 'from=2026-08-10T12:20:00Z&to=2026-08-10T12:40:00Z'],
  ])('later values are nowhere on the page: %s', async (_, shown) => {
    const seen = []
    for (const ticker of [CALM, WILD]) {
      await using visit = await open(ticker, `${shown}&hide_future&messages&trades`)
      const { page, complaints } = visit
      await page.locator('.as-table summary').click()
      await page.locator('.as-table tbody tr').first().waitFor()
      await page.locator('.messages tr.current').waitFor()
      await page.waitForLoadState('networkidle')
      seen.push(await settled(page, ticker))
      expect(complaints).toEqual([])
    }
    expect(seen[1]!.text).toBe(seen[0]!.text)
    expect(seen[1]!.canvases).toEqual(seen[0]!.canvases)
  })

  test('the page of the event shows no later values, and the future stays hidden on the way back', async () => {
    const seen = []
    for (const ticker of [CALM, WILD, QUIET]) {
      await using visit = await open(ticker, `${at}&hide_future`)
      const { page, complaints } = visit
      await page
        .locator('.facts')
        .getByRole('link', { name: `${ticker}-E` })
        .click()
      await page.waitForURL(new RegExp(`/event/kalshi/${ticker}-E\\?until=`))
      await page.locator('.event tbody canvas').waitFor()
      await page.waitForLoadState('networkidle')
      seen.push(await settled(page, ticker))
      await page.locator('.event tbody').getByRole('link').click()
      await page.waitForURL((url) => url.searchParams.has('hide_future') && url.searchParams.get('at') === iso(HALF_MS))
      await page.goBack()
      await page.getByRole('link', { name: 'Show what is later' }).click()
      await eventually(async () => expect(await page.locator('.event tbody').textContent()).toMatch(RESULTS[ticker]!))
      expect(complaints).toEqual([])
    }
    expect(seen[0]!.text).toContain('>12<')
    for (const { text, canvases } of seen.slice(1)) {
      expect(text).toBe(seen[0]!.text)
      expect(canvases).toEqual(seen[0]!.canvases)
    }
  })

  test('a comparison of two markets shows no later values, and a key reveals them', async () => {
    const seen = []
    for (const ticker of [CALM, WILD]) {
      await using visit = await open(ticker, `at=${iso(HALF_MS - 1)}&record=31&hide_future`)
      const { page, complaints } = visit
      await page.keyboard.press('x')
      await page.waitForURL((url) => url.pathname === '/explore/compare' && url.searchParams.has('hide_future'))
      const { searchParams } = new URL(page.url())
      searchParams.set('b', `kalshi:${QUIET}`)
      await page.goto(`${served.demo.url}/explore/compare?${searchParams}`)
      await page.locator('.chart-panes[aria-busy=false]').waitFor()
      await page.locator('.ladder:not(.late) tr.has-bid').nth(1).waitFor()
      await page.waitForLoadState('networkidle')
      const hidden = await settled(page, ticker)
      await page.keyboard.press('h')
      await page.waitForURL((url) => !url.searchParams.has('hide_future'))
      await page.waitForLoadState('networkidle')
      seen.push({ hidden, shown: await settled(page, ticker) })
      expect(complaints).toEqual([])
    }
    const [calm, wild] = seen
    expect(wild!.hidden.text).toBe(calm!.hidden.text)
    expect(wild!.hidden.canvases).toEqual(calm!.hidden.canvases)
    expect(wild!.shown.canvases).not.toEqual(calm!.shown.canvases)
  })

  test('without hiding, both markets differ, and a key switches hiding in the link', async () => {
    const seen = []
    for (const ticker of [CALM, WILD]) {
      await using visit = await open(ticker, `${at}&record=32`)
      const { page } = visit
      await page.waitForLoadState('networkidle')
      seen.push(await settled(page, ticker))
      await page.keyboard.press('h')
      await page.waitForURL(/[?&]hide_future/)
      await page.getByRole('button', { name: 'Hide future', pressed: true }).waitFor()
      await eventually(async () => expect(await page.locator('.facts').textContent()).not.toContain('close'))
      await page.keyboard.press('d')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: /^Trades/ }).check()
      const code = (await dialog.locator('pre').textContent())!
      expect(code).toContain(`end_timestamp=${HALF_MS - 1}&`)
      expect(await dialog.locator('.day-files').count()).toBe(0)
    }
    expect(seen[1]!.text).not.toEqual(seen[0]!.text)
    expect(seen[1]!.canvases).not.toEqual(seen[0]!.canvases)
  })
})

/** Returns all text, names and pictures of the page once they no longer change. Leaves out the market's own name. */
async function settled(page: Page, ticker: string): Promise<{ text: string; canvases: string[] }> {
  let last = { text: '', canvases: [] as string[] }
  await eventually(async () => {
    const before = last
    await page.waitForTimeout(300)
    const { text, canvases } = await page.evaluate<typeof last>(SEEN)
    last = { text: text.replace(new RegExp(ticker, 'gi'), 'TICKER'), canvases }
    expect(last).toEqual(before)
  })
  return last
}

const SEEN = `({
  text: document.title + document.body.innerHTML,
  canvases: [...document.querySelectorAll('canvas')].map((each) => each.toDataURL()),
})`
