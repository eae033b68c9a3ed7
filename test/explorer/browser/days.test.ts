// long: a browser draws every view
// Checks the days of a market above its chart, and what the page shows for each.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'
import { delta, gap, snapshot } from '../../support/replay/kalshi-lines.ts'

const TICKER = 'KXDAYS-26AUG'
const MINUTE_MS = 60_000
const [FIRST, SECOND] = [Date.parse('2026-08-10T12:00:00Z'), Date.parse('2026-08-12T06:30:00Z')] as const
const LINES = [
  snapshot(TICKER, FIRST, [['0.40', '100.00']], [['0.50', '100.00']], 1),
  delta(TICKER, FIRST + MINUTE_MS, '0.41', '5.00', 'yes', 2),
  gap(TICKER, FIRST + 2 * MINUTE_MS, FIRST + 5 * MINUTE_MS),
  snapshot(TICKER, FIRST + 5 * MINUTE_MS, [['0.30', '7.00']], [['0.60', '9.00']], 3),
  snapshot(TICKER, SECOND, [['0.30', '7.00']], [['0.60', '9.00']], 4),
  delta(TICKER, SECOND + 2 * MINUTE_MS, '0.31', '5.00', 'yes', 5),
]
/** Lines of another market: one day long ago, then one day every third week. */
const OTHER_LINES = ['2024-12-30', '2026-02-10', '2026-03-02', '2026-03-23', '2026-04-13', '2026-05-04', '2026-05-25']
  .map((date) => Date.parse(date))
  .map((ms, i) => snapshot('KXOTHER-26', ms, [['0.30', '7.00']], [['0.60', '9.00']], i))
const ADDRESS = `/explore/kalshi/${TICKER}`

describe.skipIf(!hasChromium)('the days of a market', () => {
  const served = demoBrowser({ moreLines: [...LINES, ...OTHER_LINES] })

  test('are chosen by keys, by buttons and in the strip', async () => {
    await using visit = await served.explorer.visit(`${ADDRESS}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    const days = page.getByRole('group', { name: 'Days of this market' }).getByRole('button')
    await eventually(async () => {
      expect(await days.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([
        '2026-08-10: degraded, 4 records, 1 gap, 3 min 0 s',
        '2026-08-11: nothing stored',
        '2026-08-12: available, 2 records',
      ])
    })
    const shown = page.locator('.market-days [aria-current=date]')
    const isShown = (day: string) => shown.filter({ hasText: day }).waitFor()
    await isShown('12')
    await page.getByRole('button', { name: 'The stored day after', disabled: true }).waitFor()
    await page.keyboard.press('[')
    await isShown('10')
    await page.waitForURL(/from=2026-08-10/)
    await page.getByRole('button', { name: 'The stored day after' }).click()
    await isShown('12')
    await shown.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await isShown('11')
    await page.getByText('Nothing is stored of this market on 2026-08-11.').waitFor()
    await page.goBack()
    await isShown('12')
    expect(complaints).toEqual([])
  })

  test('are described in words, and a click on a gap goes to its time', async () => {
    await using visit = await served.explorer.visit(`${ADDRESS}?from=2026-08-10#key=${served.demo.secret}`)
    const { page, complaints } = visit
    const panel = page.locator('.coverage')
    await panel.locator('summary').click()
    await panel.getByText('Coverage of 2026-08-10: degraded').waitFor()
    expect(await panel.locator('summary, .missed li').allTextContents()).toEqual([
      'Coverage of 2026-08-10: degraded4 records · 1 gap, 3 min 0 s',
      '12:02:00.0003 min 0 s. disconnect',
    ])
    expect(await panel.getByText('begins with a snapshot').count()).toBe(1)
    await panel.getByRole('button', { name: /^12:00: \d+ quotes, with a gap$/ }).waitFor()
    await panel.locator('.missed button').click()
    await page.waitForURL(/from=2026-08-10T12:01:30\.000Z&to=2026-08-10T12:05:30\.000Z/)
    expect(complaints).toEqual([])
  })

  test('of the demo agree with the API', async () => {
    const book = `condition_id=${DAY.conditionId}`
    const answer = await served.demo.get(`/polymarket/market/coverage?${book}`)
    const { dates } = (await answer.json()) as {
      dates: { books: { asset_id: string; hashes_agreed: number; hashes_checked: number; record_count: number }[] }[]
    }
    await using visit = await served.explorer.visit(`/explore/polymarket/${DAY.conditionId}#key=${served.demo.secret}`)
    const { page } = visit
    await page.locator('.coverage summary').click()
    const facts = page.locator('.coverage dl')
    const texts = await facts.allTextContents()
    for (const [index, { hashes_agreed, hashes_checked, record_count }] of dates[0]!.books.entries()) {
      const count = (value: number) => value.toLocaleString('en-US')
      expect(texts[index]).toContain(`records${count(record_count)}, `)
      expect(texts[index]).toContain(`hashes${count(hashes_agreed)} of ${count(hashes_checked)} agree`)
    }
  })

  test('of a venue are never cut at the edge of the strip, and a long silence takes no room', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`, { width: 360, height: 740 })
    const { page, complaints } = visit
    const box = page.getByRole('group', { name: 'Days of Kalshi' })
    await box.getByText('57 weeks without records').waitFor({ state: 'attached' })
    await box.locator('.month', { hasText: 'Aug 2026' }).waitFor()
    await eventually(async () => {
      const { x, width } = (await box.boundingBox())!
      const buttons = await box.getByRole('button').evaluateAll((all) =>
        all.map((each) => {
          const { left, right } = (each as unknown as { getBoundingClientRect(): DOMRectLike }).getBoundingClientRect()
          return [left, right] as const
        }),
      )
      expect(buttons.some(([left]) => left < x)).toBe(true)
      const cut = buttons.filter(([left, right]) => (left < x && right > x) || (left < x + width && right > x + width))
      expect(cut).toEqual([])
    })
    expect(complaints).toEqual([])
  })

  test('without records of the other venue leave that venue’s busiest markets visible', async () => {
    await using visit = await served.explorer.visit(`/explore?date=2026-08-10#key=${served.demo.secret}`)
    const { page } = visit
    const [kalshi, other] = ['Kalshi', 'Polymarket'].map((name) => page.getByRole('region', { name, exact: true }))
    await kalshi!.locator('td', { hasText: '1 (3 min 0 s)' }).waitFor()
    await other!.getByText(`Busiest on ${DAY.date}`).waitFor()
    await other!.locator('.list a').first().waitFor()
  })

  test('are absent for a market without stored data, and the page says so', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/KXNONE#key=${served.demo.secret}`)
    await visit.page.getByText('Nothing is stored of KXNONE.').waitFor()
  })
})

type DOMRectLike = { left: number; right: number }
