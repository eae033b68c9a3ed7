// long: a browser draws every view
// Shows weeks, months and all of a market of several days, in candles of hours and of days.

import { describe, expect, test } from 'bun:test'
import { foldsOf } from '../../../../explorer/state/time-axis.ts'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pixelsOf, pointAt } from '../../../support/explorer/chart-pixels.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { delta, snapshot, trade } from '../../../support/replay/kalshi-lines.ts'

const TICKER = 'KXDAYS-26AUG'
const at = (text: string) => Date.parse(`2026-08-${text}Z`)
/** The mid goes from 45 to 47.5 cents on the first day, and to 42 on the last. */
const LINES = [
  snapshot(TICKER, at('01T10:00:00'), [['0.4000', '100.00']], [['0.5000', '40.00']], 1),
  trade(TICKER, at('01T11:00:00'), '0.5000', '10.00', 1),
  delta(TICKER, at('01T15:30:00'), '0.4500', '5.00', 'yes', 2),
  trade(TICKER, at('01T16:00:00'), '0.5000', '30.00', 2),
  snapshot(TICKER, at('09T10:00:00'), [['0.4000', '100.00']], [['0.5600', '40.00']], 1),
  delta(TICKER, at('09T12:00:00'), '0.3000', '5.00', 'yes', 2),
]
const folds = foldsOf(['2026-08-01', '2026-08-09'].map((date) => ({ date, first_timestamp: 0, last_timestamp: 0 })))
const SHOWN = { fromMs: at('01T00:00:00'), toMs: at('10T00:00:00'), low: 0, high: 1, folds }
const ALL = 'from=2026-08-01T00:00:00Z&to=2026-08-10T00:00:00Z&prices=0-1'
/** Colour of a band for dates without data on a dark page, in the byte order of a canvas. */
const BAND = 0xff44342b

describe.skipIf(!hasChromium)('a market of several days', () => {
  const served = demoBrowser({ moreLines: LINES })

  test('is shown as a whole in candles, and each candle reports the values of its day', async () => {
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
    const readOut = page.locator('.read-out')
    await readOut.getByText('traded in 1 d 40 in 2 (40 bought, 0 sold)').waitFor()
    expect(await readOut.textContent()).toMatch(/mid: open 45.0¢.*high 47.5¢.*low 45.0¢.*close 47.5¢/)
    await page.getByLabel('Length of a candle').selectOption('4 h')
    await isDrawn(page)
    await pointAt(page, { ms: at('01T10:30:00'), dollars: 0.5 }, SHOWN)
    await readOut.getByText('traded in 4 h 10 in 1').waitFor()
    await page.getByRole('button', { name: 'of trades' }).click()
    await isDrawn(page)
    await pointAt(page, { ms: at('01T17:00:00'), dollars: 0.5 }, SHOWN)
    await readOut.getByText('trades: open 50.0¢').waitFor()
    expect(complaints).toEqual([])
  })

  test('dates without data are a narrow band, and the time axis continues after it', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${TICKER}?${ALL}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await isDrawn(page)
    const pixels = await pixelsOf(page, SHOWN)
    const isBand = (text: string) => pixels.around(at(text), 0.97).includes(BAND)
    expect(['01T23:00:00', '05T12:00:00', '09T01:00:00'].map(isBand)).toEqual([false, true, false])
    const readOut = page.locator('.read-out')
    const point = (text: string) => pointAt(page, { ms: at(text), dollars: 0.7 }, SHOWN)
    await point('05T12:00:00')
    await readOut.getByText('nothing stored for 7 days').waitFor()
    await point('09T11:00:00')
    await readOut.getByText(/^2026-08-09 (?:10:59|11:00)/).waitFor()
    expect(complaints.filter((each) => !each.includes('willReadFrequently'))).toEqual([])
  })

  test('the time under the pointer stays there through zooming and dragging over a band', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${TICKER}?${ALL}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await isDrawn(page)
    const instant = async () => Date.parse(`${(await page.locator('.read-out span').first().textContent())!}Z`)
    const { x, y, width } = (await page.locator('.pane .surface').first().boundingBox())!
    const changed = async (act: () => Promise<unknown>) => {
      const before = page.url()
      await act()
      await page.waitForURL((url) => url.href !== before)
    }
    await pointAt(page, { ms: at('09T02:00:00'), dollars: 0.7 }, SHOWN)
    const here = await instant()
    await changed(() => page.mouse.wheel(0, -120))
    expect(Math.abs((await instant()) - here)).toBeLessThan(60_000)
    await page.mouse.down()
    await changed(() => page.mouse.move(x + width * 0.9, y + 100, { steps: 5 }))
    await page.mouse.up()
    expect(Math.abs((await instant()) - here)).toBeLessThan(60_000)
    // A click on the minimap moves the middle of the view to the clicked time.
    const minimap = (await page.locator('.minimap').boundingBox())!
    await changed(() => page.mouse.click(minimap.x + minimap.width * 0.95, minimap.y + 10))
    await page.mouse.move(x + width / 2, y + 100)
    expect(new Date(await instant()).toJSON()).toStartWith('2026-08-09')
    expect(complaints).toEqual([])
  })

  test('the data cursor steps over a band', async () => {
    const address = `/explore/kalshi/${TICKER}?${ALL}&chart=candles&candle=14400s#key=${served.demo.secret}`
    await using visit = await served.explorer.visit(address)
    const { page, complaints } = visit
    await isDrawn(page)
    const readOut = page.locator('.read-out')
    await page.locator('.chart-panes').focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight')
    await readOut.getByText('2026-08-09 00:00:00').waitFor()
    await page.keyboard.press('ArrowLeft')
    await readOut.getByText('2026-08-01 23:59:59').waitFor()
    expect(complaints).toEqual([])
  })

  test('has no sizes over more than a month, but still best prices', async () => {
    const span = 'from=2026-07-20T00:00:00Z&to=2026-09-10T00:00:00Z'
    const requested: string[] = []
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page, complaints } = visit
    page.on('request', (request) => requested.push(new URL(request.url()).pathname.split('/').at(-1)!))
    await page.goto(`${served.demo.url}/explore/kalshi/${TICKER}?${span}`)
    await isDrawn(page)
    await page.locator('.ladder tbody tr').first().waitFor()
    expect(requested).toContain('orderbook-summary')
    expect(requested).not.toContain('depth-map')
    expect(complaints).toEqual([])
  })
})
