// long: a browser draws every view
// Compares two books on one axis in the browser: the read-out matches the API, and pairs are saved.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'
import { delta, snapshot } from '../../support/replay/kalshi-lines.ts'

/** Two books whose prices are far apart. */
const [LOW, HIGH] = ['KXLOW-26AUG', 'KXHIGH-26AUG']
const FAR_MS = Date.parse('2026-08-10T12:00:00Z')
const farLines = (ticker: string, bid: string, no: string) => [
  snapshot(ticker, FAR_MS, [[bid, '100.00']], [[no, '40.00']], 1),
  delta(ticker, FAR_MS + 3_600_000, bid, '1.00', 'yes', 2),
]

const NOON = Date.parse(`${DAY.date}T12:00:00Z`)

describe.skipIf(!hasChromium)('two books compared', () => {
  const served = demoBrowser({
    moreLines: [...farLines(LOW, '0.1000', '0.8900'), ...farLines(HIGH, '0.8000', '0.1900')],
  })

  const midAt = async (path: string, ms: number): Promise<number> => {
    const bounds = `start_timestamp=${ms}&end_timestamp=${ms + 999}&resolution=1`
    const answer = await served.demo.get(`${path}&${bounds}`)
    const { data } = (await answer.json()) as { data: { mid_price_ohlc: { close: number } }[] }
    return data[0]!.mid_price_ohlc.close
  }

  test('show both mids at the cursor, and the difference between them', async () => {
    const [asset] = DAY.assetIds
    const at = NOON + 61_000
    const books = `a=kalshi:${DAY.kalshiTicker}&b=polymarket:${DAY.conditionId}:${asset}`
    const instant = (ms: number) => new Date(ms).toISOString()
    await using visit = await served.explorer.visit(
      `/explore/compare?${books}&from=${instant(NOON)}&to=${instant(NOON + 600_000)}&at=${instant(at)}#key=${served.demo.secret}`,
    )
    const { page, complaints } = visit
    const first = await midAt(`/kalshi/market/orderbook-summary?ticker=${DAY.kalshiTicker}`, at)
    const second = await midAt(
      `/polymarket/market/orderbook-summary?condition_id=${DAY.conditionId}&asset_id=${asset}`,
      at,
    )
    const readOut = page.locator('.read-out')
    const cents = (text: string) => Number(/-?[\d.]+(?=¢)/.exec(text)?.[0])
    const expected = [first, second, first - second].map((each) => Number((each * 100).toFixed(3)))
    await eventually(async () => {
      const [, ...parts] = await readOut.locator('> span').allTextContents()
      expect(parts.map(cents)).toEqual(expected)
    })
    await page.getByRole('button', { name: 'Save this pair' }).click()
    await page.getByRole('button', { name: 'Swap both books' }).click()
    await page.waitForURL(/a=polymarket/)
    await page.getByRole('region', { name: 'Saved pairs' }).getByRole('link').click()
    await page.waitForURL(/a=kalshi/)
    expect(complaints).toEqual([])
  })

  test('have their own ladders and trades, which match the API', async () => {
    const [asset] = DAY.assetIds
    const at = NOON + 61_000
    const instant = (ms: number) => new Date(ms).toISOString()
    const second = `polymarket:${DAY.conditionId}:${asset}`
    const path = `/explore/compare?a=kalshi:${DAY.kalshiTicker}&b=${second}&from=${instant(NOON)}&to=${instant(NOON + 7_200_000)}`
    await using visit = await served.explorer.visit(`${path}&at=${instant(at)}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    const bestOf = async (query: string) => {
      const book = (await (await served.demo.get(`${query}&timestamp=${at}`)).json()) as Book
      return [book.bids, book.asks].map(([best]) => `${Number((best![0] * 100).toFixed(2))}`)
    }
    const books = [
      await bestOf(`/kalshi/market/book?ticker=${DAY.kalshiTicker}`),
      await bestOf(`/polymarket/market/book?condition_id=${DAY.conditionId}&asset_id=${asset}`),
    ]
    const ladder = (i: number) => page.locator('.ladders .ladder:not(.late)').nth(i)
    for (const [i, best] of books.entries()) {
      await eventually(async () => {
        const cells = ['best-bid', 'best-ask'].map((side) => ladder(i).locator(`tr.${side} th`).textContent())
        expect((await Promise.all(cells)).map((text) => String(Number.parseFloat(text!)))).toEqual(best)
      })
    }
    await page.locator('.chart-panes[aria-busy=false]').waitFor()
    for (const name of ['Depth of the first book', 'Depth of the second book']) {
      const chart = page.getByRole('img', { name })
      await eventually(async () => expect(await chart.evaluate(coloursOf, TRADE_COLOURS)).toBeGreaterThan(20))
    }
    expect(complaints).toEqual([])
  })

  test('have one range of prices and one scale of sizes', async () => {
    const books = `a=kalshi:${LOW}&b=kalshi:${HIGH}`
    await using visit = await served.explorer.visit(`/explore/compare?${books}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.locator('.size-legend', { hasText: '40 to 100' }).waitFor()
    // Returns the height of the line of best bids in its pane, from 0 at the top to 1.
    const bidsOf = (nth: number) =>
      page.locator('.pane').nth(nth).locator('canvas').first().evaluate(meanHeightOf, BID_LINE)
    await eventually(async () => {
      expect(await bidsOf(2)).toBeGreaterThan(0.7)
      expect(await bidsOf(3)).toBeLessThan(0.3)
    })
    expect(complaints).toEqual([])
  })

  test('have no instant in common if one of them has no data', async () => {
    const books = `a=kalshi:${DAY.kalshiTicker}&b=polymarket:${DAY.conditionId}:${DAY.assetIds[0]}`
    const span = 'from=2026-07-24T00:00:00Z&to=2026-07-24T01:00:00Z'
    await using visit = await served.explorer.visit(`/explore/compare?${books}&${span}#key=${served.demo.secret}`)
    await visit.page.locator('.pane-name', { hasText: 'First − second: no instant in common' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('are chosen by keys alone, from a market', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi/${DAY.kalshiTicker}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    await page.keyboard.press('x')
    await page.getByRole('region', { name: 'The second book' }).getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('springfield 80-84')
    await page
      .getByRole('option', { name: /Springfield.*80-84/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'First less second' }).waitFor()
    await page.getByRole('combobox', { name: 'Outcome of the second book' }).selectOption({ label: 'No' })
    await page.waitForURL(new RegExp(`polymarket:${DAY.conditionId}:${DAY.assetIds[1]}`))
    expect(complaints).toEqual([])
  })
})

/** Colour of the line of bids on a dark page, #6db8ff, in the byte order of a canvas. */
const BID_LINE = 0xffffb86d

type Canvas = {
  width: number
  height: number
  getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } }
}

/** Runs in the page. Returns the mean height of all pixels of a colour, from 0 at the top to 1. */
function meanHeightOf(canvas: unknown, colour: number): number {
  const { width, height } = canvas as Canvas
  const { data } = (canvas as Canvas).getContext('2d').getImageData(0, 0, width, height)
  const pixels = new Uint32Array(data.buffer)
  let [sum, count] = [0, 0]
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] !== colour) continue
    sum += Math.floor(at / width) / height
    count++
  }
  return sum / count
}

type Book = Record<'bids' | 'asks', [price: number, size: number][]>
/** Colours of buys and sells in both themes. */
const TRADE_COLOURS = [0x2fd6a0, 0xff6f86, 0x008563, 0xd11a45]

/** Runs in the page. Returns how many pixels of a chart have one of the colours. */
function coloursOf(canvas: unknown, colours: number[]): number {
  const { width, height } = canvas as Canvas
  const { data } = (canvas as Canvas).getContext('2d').getImageData(0, 0, width, height)
  let count = 0
  for (let i = 0; i < data.length; i += 4)
    if (colours.includes((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!)) count++
  return count
}
