// long: a browser draws every view
// Uses a market on a phone: one finger scrolls the page and moves the chart, two fingers zoom it.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn } from '../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const MARKET = `/explore/kalshi/${DAY.kalshiTicker}?from=2026-07-20T12:00:00.000Z&to=2026-07-20T13:00:00.000Z`
const PHONE = { width: 360, height: 740, hasTouch: true }

describe.skipIf(!hasChromium)('a market on a phone', () => {
  const served = demoBrowser({ kind: 'memory' })

  async function open() {
    const visit = await served.explorer.visit(`${MARKET}#key=${served.demo.secret}`, PHONE)
    await isDrawn(visit.page)
    return { visit, touch: await touchOf(visit.page) }
  }

  test.each(['.pane .surface', '.pane .axis', '.minimap'])('a finger up over %s scrolls the page', async (selector) => {
    const { visit, touch } = await open()
    await using _ = visit
    const { page } = visit
    const place = page.locator(selector).first()
    await place.scrollIntoViewIfNeeded()
    const { x, y, height } = (await place.boundingBox())!
    const before = await page.evaluate<number>('scrollY')
    const address = page.url()
    const from = y + height / 2
    await touch.drag([{ x: x + 30, y: from }], [{ x: x + 30, y: from - 160 }])
    await eventually(async () => expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(before + 60))
    // Waits, because the page writes its address with a delay.
    await page.evaluate('new Promise((done) => setTimeout(done, 400))')
    expect(page.url()).toBe(address)
  })

  test('each button, field and fold is at least 44 px high, and fits at 320 px', async () => {
    await using visit = await served.explorer.visit(`${MARKET}#key=${served.demo.secret}`, { ...PHONE, width: 320 })
    const { page } = visit
    await isDrawn(page)
    await page.locator('.ladder tr.has-bid').first().waitFor()
    await page.locator('.menu summary').click()
    await page.locator('.menu-body select').waitFor()
    const controls = page.locator('button, input, select, summary').filter({ visible: true })
    const boxes = await controls.evaluateAll(boxesOf)
    expect(boxes.length).toBeGreaterThan(40)
    expect(boxes.filter(({ height, right }) => height < 44 || right > 320)).toEqual([])
  })

  test('the chart comes after three rows of buttons', async () => {
    const { visit } = await open()
    await using _ = visit
    const controls = visit.page.locator('.take-bar > *, .chart-head > select, .market-days, .toolbar > :not(.space)')
    const boxes = await controls.filter({ visible: true }).evaluateAll(boxesOf)
    const rows = new Set(boxes.map(({ middle }) => Math.round(middle / 20)))
    expect(rows.size).toBe(3)
  })

  test('a finger on the edge of a lower pane makes it higher', async () => {
    const { visit, touch } = await open()
    await using _ = visit
    const edge = visit.page.getByRole('separator', { name: 'Height of Volume' })
    await edge.scrollIntoViewIfNeeded()
    const before = Number(await edge.getAttribute('aria-valuenow'))
    const { x, y, height } = (await edge.boundingBox())!
    const from = { x: x + 40, y: y + height / 2 }
    await touch.drag([from], [{ ...from, y: from.y - 50 }])
    await eventually(async () => expect(await edge.getAttribute('aria-valuenow')).toBe(String(before + 50)))
  })

  test('a finger to the side moves the chart, and two fingers zoom it', async () => {
    const { visit, touch } = await open()
    await using _ = visit
    const { page } = visit
    const { x, y } = (await page.locator('.pane .surface').first().boundingBox())!
    const at = (right: number) => ({ x: x + right, y: y + 100 })
    await touch.drag([at(200)], [at(100)])
    await page.waitForURL((url) => spanOf(url).fromMs > Date.parse('2026-07-20T12:10:00Z'))
    const { lengthMs } = spanOf(new URL(page.url()))
    expect(lengthMs).toBe(3_600_000)
    await touch.drag([at(130), at(170)], [at(50), at(250)])
    await page.waitForURL((url) => spanOf(url).lengthMs < 1_200_000)
  })
})

function spanOf({ searchParams }: URL): { fromMs: number; lengthMs: number } {
  const [fromMs, toMs] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name)!)) as [number, number]
  return { fromMs, lengthMs: toMs - fromMs }
}

type Element = {
  textContent: string
  closest(selector: string): unknown
  getBoundingClientRect(): { top: number; height: number; right: number }
}

/** Runs in the page. Returns the boxes of the controls. `right` is 0 for actions and the toolbar: these rows scroll,
 *  so a button may end outside of the screen. */
const boxesOf = (controls: unknown[]) =>
  (controls as Element[]).map((each) => {
    const { top, height, right } = each.getBoundingClientRect()
    const isScrolled = each.closest('.take-bar, .toolbar') !== null && each.closest('.menu-body') === null
    return { text: each.textContent, height, right: isScrolled ? 0 : right, middle: top + height / 2 }
  })

type Point = { x: number; y: number }
const STEPS = 10

/** Returns `drag`, which sends the touches of one or more fingers as a device reports them. */
async function touchOf(page: Page) {
  const device = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    async drag(from: readonly Point[], to: readonly Point[]): Promise<void> {
      await send('touchStart', [...from])
      for (let step = 1; step <= STEPS; step++) {
        const part = (a: number, b: number) => a + ((b - a) * step) / STEPS
        await send(
          'touchMove',
          from.map(({ x, y }, i) => ({ x: part(x, to[i]!.x), y: part(y, to[i]!.y) })),
        )
      }
      await send('touchEnd', [])
    },
  }
}
