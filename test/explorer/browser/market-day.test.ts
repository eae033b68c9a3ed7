// long: a browser draws every view
// Opens a market's day in the browser from a link, and moves in it by the mouse and by the keyboard alone. The ladder
// matches the API, and the browser logs no error.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { hasChromium } from '../../support/explorer/browser.ts'
import { demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const DAY = syntheticDay({ date: '2026-07-20', kalshiRecords: 6_000, polymarketRecords: 500 })
const NOON = Date.parse(`${DAY.date}T12:00:00Z`)
const MARKET = `/explore/kalshi/${DAY.kalshiTicker}`
const LONG_MS = 120_000
const WRITE_MS = 310

describe.skipIf(!hasChromium)('a market’s day', () => {
  const served = demoBrowser({ kind: 'memory', day: DAY })

  /** Expects all bids that the ladder shows to match the API. */
  async function agrees(page: Page, ms: number): Promise<void> {
    const rows = page.locator('.ladder:not(.late) tr.has-bid')
    const query = new URLSearchParams({ ticker: DAY.kalshiTicker, timestamp: String(ms) })
    const book = (await (await served.demo.get(`/kalshi/market/book?${query}`)).json()) as { bids: number[][] }
    const digits = (value: number | undefined) => Number(value).toFixed(2)
    const expected = book.bids.map(([price, contracts]) => [digits(price! * 100), digits(contracts)])
    await eventually(async () => {
      const cells = await rows.evaluateAll((all) =>
        all.map((row) => ['th', '.bid'].map((cell) => row.querySelector(cell)!.textContent ?? '')),
      )
      const shown = cells.map((row) => row.map((text) => digits(Number(text.replace(/[,¢]/g, '')))))
      expect(shown.length).toBeGreaterThan(3)
      expect(shown).toEqual(expected.slice(0, shown.length))
    })
  }

  const addressTime = (page: Page, name: string): number => Date.parse(new URL(page.url()).searchParams.get(name) ?? '')
  /** Waits until the URL has changed and includes the whole gesture. The page writes the URL up to WRITE_MS after a
   *  change, so the test waits as long after the gesture. */
  async function shownAfter(page: Page, act: () => Promise<void>): Promise<{ fromMs: number; toMs: number }> {
    const before = page.url()
    await act()
    await page.waitForURL((url) => url.href !== before)
    await page.evaluate(`new Promise((done) => setTimeout(done, ${WRITE_MS}))`)
    return { fromMs: addressTime(page, 'from'), toMs: addressTime(page, 'to') }
  }
  const lengthOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => toMs - fromMs

  test('opens from a link, with the ladder of its instant', async () => {
    await using visit = await served.explorer.visit(
      `${MARKET}?at=${new Date(NOON).toISOString()}#key=${served.demo.secret}`,
    )
    const { page, complaints } = visit
    await agrees(page, NOON)
    expect(complaints).toEqual([])
  })

  test(
    'by the mouse: zoomed at the pointer, moved, pointed at and put back',
    async () => {
      await using visit = await served.explorer.visit(`${MARKET}#key=${served.demo.secret}`)
      const { page, complaints } = visit
      const surface = page.locator('.pane .surface').first()
      await surface.waitFor()
      await page.waitForLoadState('networkidle')
      const box = (await surface.boundingBox())!
      const [x, y] = [box.x + box.width / 4, box.y + box.height / 2]
      await page.mouse.move(x, y)
      const zoomed = await shownAfter(page, () => page.mouse.wheel(0, -960))
      // The view is now a sixteenth of a day. The time at a quarter of its width has not moved.
      expect(lengthOf(zoomed)).toBeGreaterThan(85 * 60_000)
      expect(lengthOf(zoomed)).toBeLessThan(95 * 60_000)
      const dayStartMs = Date.parse(DAY.date)
      const quarterMs = zoomed.fromMs + lengthOf(zoomed) / 4
      expect(Math.abs(quarterMs - dayStartMs - 6 * 3_600_000)).toBeLessThan(20 * 60_000)

      const moved = await shownAfter(page, async () => {
        await page.mouse.down()
        await page.mouse.move(x + box.width / 2, y, { steps: 8 })
        await page.mouse.up()
      })
      expect(Math.abs(zoomed.fromMs - moved.fromMs - lengthOf(zoomed) / 2)).toBeLessThan(60_000)
      expect(lengthOf(moved)).toBe(lengthOf(zoomed))

      await page.mouse.move(x, y)
      await page.locator('.read-out', { hasText: 'bid' }).waitFor()
      await shownAfter(page, () => page.mouse.click(x, y))
      const atMs = addressTime(page, 'at')
      expect(Math.abs(atMs - moved.fromMs - lengthOf(moved) / 4)).toBeLessThan(60_000)
      await agrees(page, atMs)

      const minimap = page.locator('.minimap')
      const { width } = (await minimap.boundingBox())!
      const late = await shownAfter(page, () => minimap.click({ position: { x: width * 0.75, y: 20 } }))
      expect(Math.abs(late.fromMs + lengthOf(late) / 2 - dayStartMs - 18 * 3_600_000)).toBeLessThan(10 * 60_000)

      await page.getByRole('button', { name: 'Candles', exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('chart') === 'candles')
      await shownAfter(page, () => surface.dblclick())
      expect(new URL(page.url()).searchParams.has('from')).toBe(false)
      await page.waitForLoadState('networkidle')
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )

  test(
    'by the keyboard alone: reached, zoomed, moved, read out, stepped, played and put back',
    async () => {
      await using visit = await served.explorer.visit(`${MARKET}#key=${served.demo.secret}`)
      const { page, complaints } = visit
      await page.locator('.pane .surface').first().waitFor()
      await page.waitForLoadState('networkidle')
      const press = (key: string) => () => page.keyboard.press(key)
      await shownAfter(page, press('+'))
      const zoomed = await shownAfter(page, press('+'))
      const later = await shownAfter(page, press('Shift+ArrowRight'))
      expect(later.fromMs - zoomed.fromMs).toBe(Math.round(lengthOf(zoomed) * 0.9))
      const back = await shownAfter(page, press('ArrowLeft'))
      expect(later.fromMs - back.fromMs).toBe(Math.round(lengthOf(zoomed) * 0.1))

      for (let i = 0; i < 60 && !(await page.evaluate<boolean>(IS_ON_CHART)); i++) await page.keyboard.press('Tab')
      expect(await page.evaluate<boolean>(IS_ON_CHART)).toBe(true)
      for (const key of ['ArrowRight', 'Shift+ArrowRight', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
      await page.locator('.chart [aria-live]', { hasText: 'spread' }).waitFor({ state: 'attached' })
      await shownAfter(page, press('Enter'))
      await agrees(page, addressTime(page, 'at'))

      for (const key of ['.', 'm', 'c', 't']) await shownAfter(page, press(key))
      const { searchParams } = new URL(page.url())
      expect([searchParams.get('chart'), searchParams.get('zone')]).toEqual(['candles', 'local'])
      expect(Number(searchParams.get('record'))).toBeGreaterThan(0)
      await page.locator('.messages tr.current').waitFor()
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await shownAfter(page, press('0'))
      expect(new URL(page.url()).searchParams.has('from')).toBe(false)
      await page.waitForLoadState('networkidle')
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )
})

const IS_ON_CHART = 'document.activeElement.getAttribute("role") === "application"'
