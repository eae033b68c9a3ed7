// long: a browser draws every view
// Checks where a market's parts are on the page, and what the page says if times are not stored or the server does
// not answer.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const MARKET = `/explore/kalshi/${DAY.kalshiTicker}`
const NOTHING = 'Nothing is stored of this market'

describe.skipIf(!hasChromium)('a market’s page', () => {
  const served = demoBrowser({ kind: 'memory' })
  const visit = (query: string, width = 1280) =>
    served.explorer.visit(`${MARKET}?${query}#key=${served.demo.secret}`, { width })

  /** Expects the chart to take the width that the ladder leaves. */
  async function isWide(page: Page): Promise<void> {
    await page.locator('.course').waitFor()
    await eventually(async () => {
      const [course, main] = await Promise.all(['.course', 'main'].map((each) => page.locator(each).boundingBox()))
      expect(course!.width).toBeGreaterThan(main!.width - 400)
    })
  }

  test('keeps its chart wide if a day in the middle of the view is not stored', async () => {
    await using visited = await visit('from=2026-07-20T12:00:00Z&to=2026-07-26T12:00:00Z')
    const { page, complaints } = visited
    await page.locator('.ladder tbody tr').first().waitFor()
    await isWide(page)
    expect(await page.getByText(NOTHING).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('says above the chart that nothing in the view is stored', async () => {
    await using visited = await visit('from=2026-08-01T12:00:00Z&to=2026-08-03T00:00:00Z')
    const { page, complaints } = visited
    await page.getByText(`${NOTHING} from 2026-08-01 to 2026-08-02.`).waitFor()
    await isWide(page)
    expect(complaints).toEqual([])
  })

  test('keeps its ladder next to the chart, not on the coverage below it', async () => {
    await using visited = await visit('at=2026-07-20T12:00:00Z')
    const { page } = visited
    await page.locator('.ladder tbody tr.has-bid').first().waitFor()
    await page.locator('.coverage summary').click()
    await page.locator('.coverage .hours button').first().waitFor()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(150)
    const [ladder, below] = await Promise.all(['.ladder', '.coverage'].map((each) => page.locator(each).boundingBox()))
    expect(ladder!.y + ladder!.height).toBeLessThanOrEqual(below!.y)
  })

  test('gives the chart the space of hidden parts, and the link keeps them hidden', async () => {
    // The player takes one line, with the ladder and without.
    await using visited = await visit('at=2026-07-20T12:00:00Z', 1600)
    const { page, complaints } = visited
    const heightOf = async () => (await page.locator('.pane').first().boundingBox())!.height
    const names = () => page.locator('.pane canvas[aria-label]').evaluateAll((all) => all.map((each) => each.ariaLabel))
    await page.locator('.ladder tbody tr').first().waitFor()
    const before = await heightOf()
    // The whole page fits on the screen: the chart ends above the player's bar.
    const [player, map] = await Promise.all(['.player', '.minimap'].map((each) => page.locator(each).boundingBox()))
    expect(map!.y + map!.height).toBeLessThanOrEqual(player!.y)
    await page.locator('.menu summary').click()
    for (const part of ['spread', 'quotes', 'volume', 'ladder']) {
      await page.locator('fieldset', { hasText: 'Parts' }).getByRole('button', { name: part }).click()
    }
    await page.waitForURL(/[?&]hide=spread,quotes,volume,ladder(&|$)/)
    await eventually(async () => expect(await names()).toEqual(['Prices', 'Time']))
    expect(await heightOf()).toBe(before + 44 + 44 + 80 - 31)
    expect(await page.locator('.ladder').count()).toBe(0)
    const [course, main] = await Promise.all(['.course', 'main'].map((each) => page.locator(each).boundingBox()))
    expect(course!.width).toBeGreaterThan(main!.width - 50)
    await page.reload()
    await page.locator('.pane').nth(1).waitFor()
    expect(await names()).toEqual(['Prices', 'Time'])
    expect(complaints).toEqual([])
  })

  test('gives a lower pane the height to which its edge is dragged, and stores it on the device', async () => {
    await using visited = await visit('at=2026-07-20T12:00:00Z', 1600)
    const { page, complaints } = visited
    const pane = (label: string) => page.locator('.pane', { has: page.locator(`canvas[aria-label="${label}"]`) })
    const heightOf = async (label: string) => (await pane(label).boundingBox())!.height
    const main = async () => (await page.locator('.pane').first().boundingBox())!.height
    const edge = page.getByRole('separator', { name: 'Height of Volume' })
    await page.locator('.ladder tbody tr').first().waitFor()
    const [before, mainBefore] = [await heightOf('Volume'), await main()]
    const { x, y, width, height } = (await edge.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + height / 2 - 60, { steps: 4 })
    await page.mouse.up()
    // The main chart becomes smaller by as much as the pane grows, so the page still fits on the screen.
    await eventually(async () => {
      expect([await heightOf('Volume'), await main()]).toEqual([before + 60, mainBefore - 60])
    })
    await edge.focus()
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await edge.getAttribute('aria-valuenow')).toBe(String(before + 50)))
    await page.reload()
    await page.locator('.ladder tbody tr').first().waitFor()
    await eventually(async () => expect(await heightOf('Volume')).toBe(before + 50))
    expect(await heightOf('Spread')).toBeLessThan(before)
    await edge.dblclick()
    await eventually(async () => expect([await heightOf('Volume'), await main()]).toEqual([before, mainBefore]))
    expect(complaints).toEqual([])
  })

  test.each([
    ['with volume', 'studies=delta,imbalance,depth'],
    ['with only its axis', 'hide=volume'],
  ])('draws each pane and the minimap again in other colours, %s', async (_, query) => {
    await using visited = await visit(`at=2026-07-20T12:00:00Z&${query}`)
    const { page, complaints } = visited
    const drawn = () => page.locator('.pane canvas[aria-label], .minimap').evaluateAll(picturesOf)
    await page.locator('.ladder tbody tr').first().waitFor()
    await page.locator('.chart-panes[aria-busy=false]').waitFor()
    await page.waitForLoadState('networkidle')
    const dark = await drawn()
    await page.getByRole('button', { name: 'Colours: light' }).click()
    await eventually(async () => {
      const light = await drawn()
      expect(light.map((each, i) => each === dark[i])).toEqual(dark.map(() => false))
    })
    expect(dark.length).toBeGreaterThan(4)
    expect(complaints).toEqual([])
  })

  test('shows the chart again after the window was too small for it, without an error', async () => {
    await using visited = await served.explorer.visit(`${MARKET}#key=${served.demo.secret}`)
    const { page, complaints } = visited
    await page.locator('.ladder tbody tr').first().waitFor()
    await page.setViewportSize({ width: 10, height: 10 })
    await eventually(async () => expect(await page.locator('.pane').count()).toBe(0))
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.pane').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('says that the server is busy, and retries', async () => {
    await using visited = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visited
    let refused = 0
    await page.route('**/orderbook-summary?*', (route) => {
      if (refused > 0) return route.fallback()
      refused++
      return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { code: 'overloaded' } })
    })
    await page.goto(`${served.demo.url}${MARKET}?from=2026-07-20T12:00:00Z&to=2026-07-20T13:00:00Z`)
    await page.getByText('The server is busy').waitFor()
    await page.locator('.chart-panes[aria-busy=false]').waitFor()
    expect(await page.getByText('The server is busy').count()).toBe(0)
    expect(await page.locator('.failed').count()).toBe(0)
  })

  test('does not say “not stored” when the server does not answer', async () => {
    await using visited = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visited
    await page.route('**/api/v1/**', (route) => route.abort())
    await page.goto(`${served.demo.url}${MARKET}?from=2026-07-20T12:00:00Z&to=2026-07-20T13:00:00Z`)
    await page.locator('.failed', { hasText: 'The server does not answer' }).first().waitFor()
    await isWide(page)
    await page.locator('.pane .surface').last().hover()
    await page.locator('.read-out .why', { hasText: 'not loaded' }).waitFor()
  })
})

/** Runs in the page. Returns the pictures of the canvases. */
const picturesOf = (canvases: unknown[]) => (canvases as { toDataURL(): string }[]).map((each) => each.toDataURL())
