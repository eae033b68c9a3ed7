// long: a browser draws every view
// Studies can be switched on in the menu, show what the API returns, and are part of the link.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pixelsOf } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXSTUDIED-26AUG'
const T0 = Date.parse('2026-08-10T12:00:00Z')
const LINES = [
  snapshot(TICKER, T0, [['0.4000', '100.00']], [['0.5900', '40.00']], 1),
  trade(TICKER, T0 + 2_000, '0.4000', '10.00', 1),
  trade(TICKER, T0 + 4_000, '0.5000', '30.00', 2),
  delta(TICKER, T0 + 20_000, '0.3900', '1.00', 'yes', 2),
]
const SHOWN = { fromMs: T0, toMs: T0 + 20_000, low: 0.2, high: 0.7 }
const iso = (ms: number) => new Date(ms).toISOString()
const QUERY = `from=${iso(SHOWN.fromMs)}&to=${iso(SHOWN.toMs)}&prices=0.2-0.7`

describe.skipIf(!hasChromium)('studies', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('are switched on and off, with the distance of depth', async () => {
    const bands: (string | null)[] = []
    const address = `/explore/kalshi/${TICKER}?${QUERY}#key=${served.demo.secret}`
    await using visit = await served.explorer.visit(address, { height: 1_000 })
    const { page, complaints } = visit
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('depth-summary')) bands.push(searchParams.get('bands'))
    })
    await isDrawn(page)
    const before = await page.locator('.pane').count()
    const edge = async () => (await pixelsOf(page, SHOWN)).around(SHOWN.toMs - 200, 0.5).join()
    const plain = await edge()
    await page.locator('.menu summary').click()
    const menu = page.locator('.menu-body')
    for (const name of ['delta', 'imbalance', 'depth', 'volume at price'])
      await menu.getByRole('button', { name, exact: true }).click()
    for (const name of ['Cumulative delta', 'Imbalance', 'Depth']) await page.getByRole('img', { name }).waitFor()
    await menu.getByRole('button', { name: '5¢', exact: true }).click()
    await page.waitForURL(/studies=delta,imbalance,depth,profile&within=5/)
    await page.locator('.pane-name', { hasText: 'Depth within 5¢' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(new Set(bands)).toEqual(new Set(['0.02', '0.05']))
    expect(await page.locator('.pane').count()).toBe(before + 3)
    expect(await edge()).not.toBe(plain)
    for (const name of ['delta', 'imbalance', 'depth', 'volume at price'])
      await menu.getByRole('button', { name, exact: true }).click()
    await page.waitForURL((url) => !url.searchParams.has('studies'))
    expect(await page.locator('.pane').count()).toBe(before)
    expect(await edge()).toBe(plain)
    // The browser warns because the test reads pixels.
    expect(complaints.filter((each) => !each.includes('willReadFrequently'))).toEqual([])
  })

  test('VWAP covers the view, and has a label on the axis', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.addInitScript(`
      globalThis.written = new Set()
      globalThis.cutOff = new Set()
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        written.add(text)
        const { canvas, textAlign } = this
        const right = place[0] + this.measureText(text).width
        if (textAlign === 'left' && place[0] < canvas.width && right > canvas.width) cutOff.add(text)
        return fillText.call(this, text, ...place)
      }`)
    await page.goto(`${served.demo.url}/explore/kalshi/${TICKER}?${QUERY}&studies=vwap`)
    await eventually(async () => expect(await page.evaluate<string[]>('[...written]')).toContain('vwap 47.5¢'))
    await page.goto(`${served.demo.url}/explore/kalshi/${TICKER}?${QUERY}&studies=vwap&chart=line`)
    await eventually(async () => expect(await page.evaluate<string[]>('[...written]')).toContain('vwap 47.5%'))
    expect(await page.evaluate<string[]>('[...cutOff]')).toEqual([])
    expect(complaints).toEqual([])
  })
})
