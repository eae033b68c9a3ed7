// long: a browser draws every view
// Mirrors the Yes side for Kalshi's No side: the ladder, the chart, its table and the trades.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { isDrawn, pointAt } from '../../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'

const NOON = Date.parse(`${DAY.date}T12:00:00Z`)
const SHOWN = { fromMs: NOON - 1_800_000, toMs: NOON + 1_800_000 }
const iso = (ms: number) => new Date(ms).toISOString()
const cents = (text: string) => Number(text.replace('¢', ''))
const mirrored = (price: number) => Number((100 - price).toFixed(4))

describe.skipIf(!hasChromium)('the No side of a market of Kalshi', () => {
  const served = demoBrowser()
  const open = async (more: string) => {
    const query = `from=${iso(SHOWN.fromMs)}&to=${iso(SHOWN.toMs)}&at=${iso(NOON)}${more}`
    const visit = await served.explorer.visit(`/explore/kalshi/${DAY.kalshiTicker}?${query}#key=${served.demo.secret}`)
    await isDrawn(visit.page)
    await visit.page.locator('.ladder:not(.late) tr.has-bid').first().waitFor()
    return visit
  }

  test('is chosen as an outcome, and its ladder is the book of Yes, mirrored', async () => {
    await using visit = await open('')
    const { page, complaints } = visit
    const yes = await levelsOf(page)
    await page.getByLabel('Outcome').selectOption({ label: 'No' })
    await page.waitForURL(/[?&]book=no(&|$)/)
    await eventually(async () => {
      const no = await levelsOf(page)
      const both = (all: Level[]) => all.filter(({ price }) => yes.some((each) => mirrored(each.price) === price))
      const flipped = yes.map(({ price, bid, ask }) => ({ price: mirrored(price), bid: ask, ask: bid }))
      expect(both(no).length).toBeGreaterThan(20)
      expect(both(no)).toEqual(flipped.toReversed().filter(({ price }) => no.some((each) => each.price === price)))
    })
    await page.keyboard.press('>')
    await page.waitForURL(/[?&]record=/)
    const record = new URL(page.url()).searchParams.get('record')
    const query = new URLSearchParams({ ticker: DAY.kalshiTicker, date: DAY.date, record: record! })
    const { bids, asks } = (await (await served.demo.get(`/kalshi/market/book?${query}`)).json()) as Book
    const [bid, ask] = [asks, bids].map(([best]) => `${((1 - best![0]!) * 100).toFixed(1)}¢`)
    await page.locator('.ladder dd', { hasText: `${bid} · ${ask}` }).waitFor()
    await page.goBack()
    await eventually(async () => expect(await levelsOf(page)).toEqual(yes))
    expect(complaints).toEqual([])
  })

  test('the chart, its table and the list of trades show the values of Yes, mirrored', async () => {
    const seen = []
    for (const [more, prices, price] of [
      ['', { low: 0.4, high: 0.5 }, 0.42],
      ['&book=no', { low: 0.5, high: 0.6 }, 0.58],
    ] as const) {
      await using visit = await open(`&prices=${prices.low}-${prices.high}&trades${more}`)
      const { page, complaints } = visit
      await pointAt(page, { ms: NOON - 600_000, dollars: price }, { ...SHOWN, ...prices })
      await page.locator('.read-out', { hasText: ', largest in' }).waitFor()
      const readOut = await page.locator('.read-out span').allTextContents()
      await page.locator('.as-table summary').click()
      await page.locator('.as-table tbody tr').first().waitFor()
      const table = await rowsOf(page, '.as-table')
      await page.locator('.sales tr.current').waitFor()
      seen.push({ readOut, table, sales: await rowsOf(page, '.sales') })
      expect(complaints).toEqual([])
    }
    const [yes, no] = seen as [(typeof seen)[0], (typeof seen)[0]]
    const cellIn = (texts: string[]) =>
      /price ([\d.]+)¢ (bid|ask), largest in [\d.]+ \w+ ([\d.,]+)/.exec(texts.join(' '))!.slice(1)
    const [price, side, size] = cellIn(yes.readOut)
    expect(cellIn(no.readOut)).toEqual([`${mirrored(Number(price)).toFixed(1)}`, side === 'bid' ? 'ask' : 'bid', size!])
    const flip = ([from, bid, ask, spread, quotes, bought, sold]: string[]) => {
      return [from, ...[ask, bid].map((each) => `${mirrored(cents(each!)).toFixed(1)}¢`), spread, quotes, sold, bought]
    }
    expect(no.table).toEqual(yes.table.map(flip) as string[][])
    const other = (taker: string) => (taker === '▲ bought' ? '▼ sold' : taker === '▼ sold' ? '▲ bought' : taker)
    const flipSale = ([time, taker, paid, size]: string[]) => {
      return [time!, other(taker!), `${mirrored(cents(paid!)).toFixed(1)}¢`, size!]
    }
    expect(no.sales.length).toBeGreaterThan(10)
    expect(no.sales).toEqual(yes.sales.map(flipSale))
  })

  test.each([
    [
      'candles of trades',
      'chart=candles&candles=trades&candle=60s',
      (row: string[]) => [row[0], ...[1, 3, 2, 4].map((at) => mirroredText(row[at]!, '¢')), ...otherVolumes(row)],
    ],
    ['the line in %', 'chart=line', (row: string[]) => [row[0], mirroredText(row[1]!, '%'), ...otherVolumes(row)]],
  ])('%s are those of Yes, mirrored', async (_, chart, flip) => {
    const tables: string[][][] = []
    for (const more of ['', '&book=no']) {
      await using visit = await open(`&${chart}${more}`)
      const { page, complaints } = visit
      await page.locator('.as-table summary').click()
      await page.locator('.as-table tbody tr').first().waitFor()
      await page.waitForLoadState('networkidle')
      tables.push(await rowsOf(page, '.as-table'))
      expect(complaints).toEqual([])
    }
    expect(tables[1]!.length).toBeGreaterThan(20)
    expect(tables[1]).toEqual(tables[0]!.map(flip) as string[][])
  })

  test('downloads are named as those of Yes', async () => {
    await using visit = await open('&book=no')
    const { page } = visit
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The data is of Yes').waitFor()
    const code = (await dialog.locator('pre').textContent())!
    expect(code).toContain(`ticker=${DAY.kalshiTicker}`)
    expect(code).not.toMatch(/asset|_no_/)
  })
})

type Book = { bids: number[][]; asks: number[][] }
type Level = { price: number; bid: string; ask: string }

/** Mirrors a price. `unit` is `¢` or `%`. An unknown price is a dash. */
const mirroredText = (text: string, unit: string): string => {
  const digits = text.split('.')[1]?.replace(unit, '').length ?? 0
  return text.endsWith(unit) ? `${(100 - Number(text.replace(unit, ''))).toFixed(digits)}${unit}` : text
}
/** Returns the last four cells of a row: spread and quotes, then bought and sold exchanged. */
const otherVolumes = (row: string[]): string[] => [...row.slice(-4, -2), row.at(-1)!, row.at(-2)!]

const levelsOf = async (page: Page): Promise<Level[]> => {
  const rows = await page
    .locator('.ladder:not(.late) tbody tr')
    .evaluateAll((all) =>
      all.map((row) => ['.bid .size', 'th', '.ask .size'].map((cell) => row.querySelector(cell)?.textContent ?? '')),
    )
  return rows.map(([bid, price, ask]) => ({ price: cents(price!), bid: bid!, ask: ask! }))
}

const rowsOf = (page: Page, within: string): Promise<string[][]> =>
  page
    .locator(`${within} tbody tr`)
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
