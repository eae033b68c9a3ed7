// long: a browser draws every view
// Shows the trades of a day one by one: as a list from a minimum size up, and each as a mark that shows its details.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pointAt } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXTRADED-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
const sold = (line: string) => line.replace('"taker_side":"yes"', '"taker_side":"no"')
const LINES = [
  snapshot(TICKER, T0, [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  trade(TICKER, T0 + 2_000, '0.5000', '12.50', 1),
  sold(trade(TICKER, T0 + 4_000, '0.4000', '300.00', 2)),
  trade(TICKER, T0 + 6_000, '0.5000', '7.00', 3),
  delta(TICKER, T0 + 10_000, '0.3900', '1.00', 'yes', 2),
]
const SHOWN = { fromMs: T0, toMs: T0 + 10_000, low: 0.3, high: 0.7 }
const QUERY = `from=${new Date(SHOWN.fromMs).toISOString()}&to=${new Date(SHOWN.toMs).toISOString()}&prices=0.3-0.7`

describe.skipIf(!hasChromium)('trades', () => {
  const served = demoBrowser({ moreLines: LINES })
  const open = (more = '') =>
    served.explorer.visit(`/explore/kalshi/${TICKER}?${QUERY}${more}#key=${served.demo.secret}`)

  test('are listed in step with the cursor, from a minimum size up, and set the cursor', async () => {
    await using visit = await open(`&at=${new Date(T0 + 5_000).toISOString()}`)
    const { page, complaints } = visit
    await isDrawn(page)
    await page.keyboard.press('e')
    const list = page.getByRole('region', { name: 'Time and sales' })
    const rows = list.locator('tbody tr')
    await list.getByText('3 of 3 on 2026-08-10').waitFor()
    expect(await rows.allTextContents()).toEqual([
      '12:00:02.000▲ bought50.0¢12.5',
      '12:00:04.000▼ sold40.0¢300',
      '12:00:06.000▲ bought50.0¢7',
    ])
    expect(await list.locator('tr.current').textContent()).toContain('300')
    await rows.nth(2).click()
    await page.locator('.ladder h2', { hasText: '12:00:06.000' }).waitFor()
    expect(await list.locator('tr.current').textContent()).toContain('50.0¢7')
    await list.getByRole('spinbutton').fill('10')
    await page.keyboard.press('Enter')
    await list.getByText('2 of 3 on 2026-08-10').waitFor()
    expect(await list.locator('tr.current').textContent()).toContain('300')
    await page.waitForURL(/trades_from=10/)
    expect(new URL(page.url()).searchParams.has('trades')).toBe(true)
    expect(complaints).toEqual([])
  })

  test('show their details under the pointer, with the id of the venue', async () => {
    const ids = (await (await served.demo.get(`/kalshi/market/trades?ticker=${TICKER}&date=2026-08-10`)).json()) as {
      data: { trade_id: string }[]
    }
    await using visit = await open()
    const { page, complaints } = visit
    await isDrawn(page)
    await pointAt(page, { ms: T0 + 4_000, dollars: 0.4 }, SHOWN)
    const tip = page.locator('.trade-tip')
    await tip.getByText('▼ 40¢ × 300').waitFor()
    expect(await tip.textContent()).toContain('sold12:00:04.000')
    await tip.getByText(ids.data[1]!.trade_id).waitFor()
    await pointAt(page, { ms: T0 + 4_000, dollars: 0.6 }, SHOWN)
    await tip.waitFor({ state: 'detached' })
    // The minimum size applies to the chart as well as to the list.
    await pointAt(page, { ms: T0 + 2_000, dollars: 0.5 }, SHOWN)
    await tip.getByText('▲ 50¢ × 12.5').waitFor()
    await page.locator('.menu summary').click()
    await page.getByLabel('Trades from').fill('100')
    await page.keyboard.press('Escape')
    await page.waitForURL(/trades_from=100/)
    await pointAt(page, { ms: T0 + 4_000, dollars: 0.4 }, SHOWN)
    await tip.getByText('▼ 40¢ × 300').waitFor()
    await pointAt(page, { ms: T0 + 2_000, dollars: 0.5 }, SHOWN)
    await tip.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})
