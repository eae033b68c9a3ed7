// long: a browser draws every view
// A market of several days: weeks, months and all of it, in candles of hours and of days.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pointAt } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXDAYS-26AUG'
const at = (text: string) => Date.parse(`2026-08-${text}Z`)
/** The mid goes from 45 to 47.5 on the first day, and to 42 on the last. */
const LINES = [
  snapshot(TICKER, at('01T10:00:00'), [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  trade(TICKER, at('01T11:00:00'), '0.5000', '10.00', 1),
  delta(TICKER, at('01T15:30:00'), '0.4500', '5.00', 'yes', 2),
  trade(TICKER, at('01T16:00:00'), '0.5000', '30.00', 2),
  snapshot(TICKER, at('09T10:00:00'), [['0.4000', '100.00']], [['0.5600', '40.00']], 1),
  delta(TICKER, at('09T12:00:00'), '0.3000', '5.00', 'yes', 2),
]
const SHOWN = { fromMs: at('01T00:00:00'), toMs: at('10T00:00:00'), low: 0, high: 1 }

describe.skipIf(!hasChromium)('a market of several days', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('is shown as a whole in candles, and each says what its day was', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${TICKER}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await isDrawn(page)
    const range = page.locator('.toolbar')
    await range.getByRole('button', { name: '1W' }).click()
    await page.waitForURL(/from=2026-08-03T00:00:00.000Z&to=2026-08-10/)
    expect(page.url()).not.toContain('chart')
    await range.getByRole('button', { name: 'All' }).click()
    await page.waitForURL(/from=2026-08-01T00:00:00.000Z&to=2026-08-10T00:00:00.000Z&chart=candles/)
    await page.getByLabel('Length of a candle').selectOption('1 d')
    await page.waitForURL(/candle=86400s/)
    await isDrawn(page)
    await pointAt(page, { ms: at('01T08:00:00'), dollars: 0.5 }, SHOWN)
    const told = page.locator('.read-out')
    await told.getByText('traded in 1 d 40 in 2 (40 bought, 0 sold)').waitFor()
    expect(await told.textContent()).toMatch(/mid: open 45.0¢.*high 47.5¢.*low 45.0¢.*close 47.5¢/)
    await page.getByLabel('Length of a candle').selectOption('4 h')
    await isDrawn(page)
    await pointAt(page, { ms: at('01T10:30:00'), dollars: 0.5 }, SHOWN)
    await told.getByText('traded in 4 h 10 in 1').waitFor()
    await page.getByRole('button', { name: 'of trades' }).click()
    await isDrawn(page)
    await pointAt(page, { ms: at('01T17:00:00'), dollars: 0.5 }, SHOWN)
    await told.getByText('trades: open 50.0¢').waitFor()
    expect(complaints).toEqual([])
  })

  test('has no sizes over more than a month, and its best prices all the same', async () => {
    const span = 'from=2026-07-20T00:00:00Z&to=2026-09-10T00:00:00Z'
    const asked: string[] = []
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page, complaints } = visit
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!))
    await page.goto(`${served.demo.url}/explore/kalshi/${TICKER}?${span}`)
    await isDrawn(page)
    await page.locator('.ladder tbody tr').first().waitFor()
    expect(asked).toContain('orderbook-summary')
    expect(asked).not.toContain('depth-map')
    expect(complaints).toEqual([])
  })
})
