// long: a browser draws every view
// Checks the texts around a chart: the ladder's values at the cursor, how long a loss lasts, what candles are based on,
// and the zone of times. The player's bar covers none of these texts.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn, pixelsOf } from '../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const MARKET = `/explore/kalshi/${DAY.kalshiTicker}`
const NOON = `at=${DAY.date}T12:00:00.000Z`
const SECOND_MS = 1_000

type Coverage = { dates: { inferred_gaps: { from: number; to: number }[] }[] }
type Book = { asks: [price: number, size: number][] }

describe.skipIf(!hasChromium)('the words around a chart', () => {
  const served = demoBrowser()
  const open = async (query: string, screen = {}) => {
    const visit = await served.explorer.visit(`${MARKET}?${query}#key=${served.demo.secret}`, screen)
    await isDrawn(visit.page)
    await visit.page.locator('.ladder:not(.late) tbody tr').first().waitFor()
    await visit.page.mouse.move(0, 0)
    return visit
  }
  const json = async <T>(path: string): Promise<T> => (await (await served.demo.get(path)).json()) as T

  const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents()

  test('match the ladder at the cursor, and name the time zone', async () => {
    await using visit = await open(NOON)
    const { page, complaints } = visit
    await eventually(async () => {
      const ladder = await textsOf(page, '.ladder dl :is(.bid, .ask)')
      const shownPrices = await textsOf(page, '.read-out :is(.bid, .ask)')
      expect(shownPrices).toEqual([`bid ${ladder[0]}`, `ask ${ladder[1]}`])
    })
    expect(await page.locator('.read-out').textContent()).toContain('zone UTC')
    expect(await page.locator('.read-out', { hasText: 'end of' }).count()).toBe(0)
    await page.locator('.pane .surface').first().hover()
    await page.locator('.read-out', { hasText: 'end of 1 min' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('say buys and sells in the colours of the chart', async () => {
    await using visit = await open(NOON)
    const { page } = visit
    const trade = page.locator('.ladder dl :is(.buy, .sell)')
    await trade.waitFor()
    const isBuy = (await trade.textContent())!.startsWith('▲')
    const colour = await page.evaluate<string>(
      'getComputedStyle(document.querySelector(".ladder dl :is(.buy, .sell)")).color',
    )
    expect(colour).toBe(isBuy ? 'rgb(47, 214, 160)' : 'rgb(255, 111, 134)')
  })

  test('keep their colours on a device that forces others', async () => {
    await using visit = await open(NOON)
    const { page } = visit
    await page.emulateMedia({ forcedColors: 'active' })
    const styleOf = (selector: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`)
    expect(await styleOf('.size-legend i', 'backgroundImage')).toContain('linear-gradient')
    expect(await styleOf('.size-legend i', 'forcedColorAdjust')).toBe('none')
    expect(await styleOf('.ladder .bar', 'forcedColorAdjust')).toBe('none')
    const [chosen, other] = await Promise.all(
      ['true', 'false'].map((is) => styleOf(`.toolbar [aria-pressed=${is}]`, 'backgroundColor')),
    )
    expect(chosen).not.toBe(other)
  })

  test('show no price if the pointer is not over prices', async () => {
    await using visit = await open(NOON)
    const { page } = visit
    await page.locator('.pane .surface').first().hover()
    await page.locator('.read-out', { hasText: 'price ' }).waitFor()
    await page.locator('.pane .surface').last().hover()
    await page.locator('.read-out', { hasNotText: 'price ' }).waitFor()
  })

  test('say how long a loss lasts, and the chart hatches the loss', async () => {
    const { dates } = await json<Coverage>(`/kalshi/market/coverage?ticker=${DAY.kalshiTicker}`)
    const gap = dates[0]!.inferred_gaps.find(({ from, to }) => to - from > 4 * SECOND_MS)!
    const middle = Math.round((gap.from + gap.to) / 2)
    const { asks } = await json<Book>(`/kalshi/market/book?ticker=${DAY.kalshiTicker}&timestamp=${middle}`)
    const above = Math.max(...asks.map(([price]) => price)) + 0.015
    const shown = { fromMs: gap.from - 5 * SECOND_MS, toMs: gap.to + 5 * SECOND_MS, low: 0, high: above + 0.03 }
    const iso = (ms: number) => new Date(ms).toISOString()
    const span = `from=${iso(shown.fromMs)}&to=${iso(shown.toMs)}&prices=0-${shown.high}`
    await using visit = await open(`${span}&at=${iso(middle)}`)
    const { page, complaints } = visit
    await page.locator('.ladder .chip', { hasText: `until ${iso(gap.to).slice(11, 19)}` }).waitFor()
    const pixels = await pixelsOf(page, shown)
    const hatched = pixels.kindsIn(gap.from + SECOND_MS / 2, middle - SECOND_MS / 2, above)
    const known = pixels.kindsIn(shown.fromMs + SECOND_MS / 2, gap.from - SECOND_MS, above)
    expect(hatched).toBeGreaterThan(known)
    expect(complaints).toEqual([])
  })

  test('say how long candles are, what they are based on, and prices to the tick', async () => {
    await using visit = await open(`${NOON}&chart=candles`)
    const { page, complaints } = visit
    const fits = await page.getByLabel('Length of a candle').locator('option').first().textContent()
    expect(fits).toMatch(/^as fits \(\d+ (?:s|min|h)\)$/)
    expect(await page.getByRole('button', { name: 'Candles', exact: true }).getAttribute('title')).toContain(
      'mid price',
    )
    await page
      .locator('.pane .surface')
      .first()
      .hover({ position: { x: 301, y: 33 } })
    const readOut = page.locator('.read-out', { hasText: 'mid: open' })
    await readOut.waitFor()
    expect(await readOut.textContent()).toMatch(/price \d+(?:\.\d)?¢/)
    expect(complaints).toEqual([])
  })

  test('are not covered by the player’s bar once they have the focus', async () => {
    await using visit = await open(NOON, { width: 1_440, height: 700 })
    const { page } = visit
    const summary = page.locator('.as-table summary')
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('.chart-panes').focus()
    // The edges of the panes get the focus first.
    for (const _ of await page.locator('.chart-panes [role=separator]').all()) await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await eventually(async () => {
      expect(await summary.evaluate((node) => (node as { matches(text: string): boolean }).matches(':focus'))).toBe(
        true,
      )
      const [box, bar] = [await summary.boundingBox(), await page.locator('.player').boundingBox()]
      expect(box!.height).toBeGreaterThanOrEqual(24)
      expect(box!.y + box!.height).toBeLessThanOrEqual(bar!.y)
    })
  })

  test('the keys for a range of prices and for candles do nothing while two books are compared', async () => {
    const [first, second] = [`kalshi:${DAY.kalshiTicker}`, `polymarket:${DAY.conditionId}:${DAY.assetIds[0]}`]
    const path = `/explore/compare?a=${first}&b=${second}`
    await using visit = await served.explorer.visit(`${path}#key=${served.demo.secret}`)
    const { page } = visit
    await page.locator('.compare-chart .chart-panes[aria-busy=false]').waitFor()
    for (const key of ['c', 'ArrowUp', 'ArrowDown', 't']) await page.keyboard.press(key)
    await page.waitForURL(/zone=local/)
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('chart'), searchParams.get('prices')]).toEqual([null, null])
  })
})
