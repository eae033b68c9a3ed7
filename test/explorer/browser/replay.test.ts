// long: a browser draws every view
// Replays markets of both venues in the browser, by keys and by mouse. The ladder matches the API.

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { ServedDemo } from '../../support/demo.ts'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const NOON = Date.parse(`${DAY.date}T12:00:00Z`)
const LONG_MS = 120_000

type Book = { bids: [number, number][]; asks: [number, number][]; record: number }
type Stored = { path: string; market: Record<string, string>; book: Record<string, string> }
type RawRecord = { type: string; timestamp: number; asset_id?: string | null }

describe.skipIf(!hasChromium)('replay', () => {
  const served = demoBrowser()
  let markets: Stored[] = []

  beforeAll(async () => {
    markets = [kalshi(), await polymarket(served.demo)]
  })

  const json = async <T>(path: string, query: Record<string, string>): Promise<T> =>
    (await (await served.demo.get(`/${path}?${new URLSearchParams(query)}`)).json()) as T
  const bookAt = ({ path, book }: Stored, at: Record<string, string>) =>
    json<Book>(`${path}/market/book`, { ...book, ...at })
  const open = (stored: Stored, more = '') =>
    served.explorer.visit(`${addressOf(stored)}at=${new Date(NOON).toISOString()}${more}#key=${served.demo.secret}`)

  test.each([0, 1])(
    'steps by message, quote and trade, forwards and backwards (market %d)',
    async (i) => {
      const stored = markets[i]!
      await using visit = await open(stored, '&messages')
      const { page, complaints } = visit
      await page.locator('.ladder tr.has-bid').first().waitFor()
      await page.locator('.messages tr.current').waitFor()
      const own = await ownRecords(stored)
      const first = (await bookAt(stored, { timestamp: String(NOON) })).record
      const at = own.findIndex(({ record }) => record === first)
      const before = own[at]!.timestamp === NOON ? at - 1 : at

      for (const [key, expected] of [
        ['.', at + 1],
        ['.', at + 2],
        [',', at + 1],
      ] as const) {
        await page.keyboard.press(key)
        await waitForRecord(page, own[expected]!.record)
        await agrees(page, stored, own[expected]!.record)
      }
      for (const key of ['>', '>', '<', 'n', 'n', 'p', '<']) {
        const from = await recordOf(page)
        await page.keyboard.press(key)
        const record = await movedFrom(page, from)
        await agrees(page, stored, record)
        if (key === 'n' || key === 'p') expect(own.find((each) => each.record === record)!.type).toBe('trade')
        expect(Math.sign(record - from!)).toBe('>n'.includes(key) ? 1 : -1)
      }
      const from = await recordOf(page)
      await page.getByRole('button', { name: 'The message before' }).click()
      const last = await movedFrom(page, from)
      expect(last).toBe(own.findLast(({ record }) => record < from!)!.record)
      await page.getByRole('button', { name: 'The next quote' }).click()
      await agrees(page, stored, await movedFrom(page, last))
      expect(before).toBeGreaterThan(0)
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )

  test(
    'plays, and at a pause the ladder shows the book of that instant',
    async () => {
      const stored = markets[0]!
      await using visit = await open(stored)
      const { page, complaints } = visit
      await page.locator('.ladder tr.has-bid').first().waitFor()
      await page.getByLabel('Speed').selectOption('100')
      await page.getByRole('button', { name: 'Skip silence' }).click()
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      while ((await page.locator('.clock').inputValue()) < '12:01') await page.waitForTimeout(50)
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
      await page.waitForURL((url) => !url.search.includes('12:00:00.000'))
      const ms = await instantOf(page)
      expect(ms).toBeGreaterThan(NOON + 60_000)
      await agrees(page, stored, null, ms)
      await page.keyboard.press('b')
      await page.keyboard.press(' ')
      while ((await page.locator('.clock').inputValue()) > '12:00') await page.waitForTimeout(50)
      await page.keyboard.press(' ')
      await page.waitForURL((url) => Date.parse(url.searchParams.get('at')!) < NOON)
      await agrees(page, stored, null, await instantOf(page))
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )

  test(
    'goes to a typed time, and copies the record as stored',
    async () => {
      const stored = markets[0]!
      await using visit = await open(stored)
      const { page, complaints } = visit
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.locator('.ladder tr.has-bid').first().waitFor()
      await page.keyboard.press('g')
      await page.keyboard.type('14:13:45.120')
      await page.keyboard.press('Enter')
      const ms = Date.parse(`${DAY.date}T14:13:45.120Z`)
      await page.waitForURL((url) => url.search.includes('14:13:45.120'))
      await agrees(page, stored, null, ms)
      await page.keyboard.press('m')
      await page.locator('.messages tr.current').waitFor()
      const { record } = await bookAt(stored, { timestamp: String(ms) })
      await page.getByRole('button', { name: 'Copy', exact: true }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const query = { ...stored.market, date: DAY.date, offset: String(record), limit: '1', format: 'ndjson' }
      const line = await (await served.demo.get(`/${stored.path}/market/data?${new URLSearchParams(query)}`)).text()
      expect(`${await page.evaluate('navigator.clipboard.readText()')}\n`).toBe(line)
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )

  /** Expects every level between the ladder's first row and its last to match the API. */
  async function agrees(page: Page, stored: Stored, record: number | null, ms?: number) {
    const at = record === null ? { timestamp: String(ms) } : { date: DAY.date, record: String(record) }
    const { bids, asks } = await bookAt(stored, at)
    const number = (text: string) => Number(text.replaceAll(',', '').replace('¢', ''))
    const cents = (price: number) => Number((price * 100).toFixed(4))
    const size = (contracts: number) => Number(contracts.toFixed(2))
    await eventually(async () => {
      const rows = await page
        .locator('.ladder:not(.late) tbody tr')
        .evaluateAll((all) =>
          all.map((row) => ['.bid', 'th', '.ask'].map((cell) => row.querySelector(cell)!.textContent ?? '')),
        )
      const prices = rows.map(([, price]) => number(price!))
      const [top, bottom] = [Math.max(...prices), Math.min(...prices)]
      const inside = ([price]: [number, number]) => cents(price) <= top && cents(price) >= bottom
      const shown = (side: 0 | 2) =>
        rows.filter((row) => row[side] !== '').map((row) => [number(row[1]!), number(row[side]!)])
      const expected = (levels: [number, number][]) =>
        levels.filter(inside).map(([price, of]) => [cents(price), size(of)])
      expect(rows.length).toBeGreaterThan(20)
      expect(shown(0)).toEqual(expected(bids))
      expect(shown(2).toReversed()).toEqual(expected(asks))
    })
  }

  /** Returns the day's records of the book, and those of no single book. `record` is the number on the day. */
  async function ownRecords({ path, market, book }: Stored) {
    const query = { ...market, date: DAY.date, limit: '100000' }
    const { data } = await json<{ data: RawRecord[] }>(`${path}/market/data`, query)
    return data
      .map((each, record) => ({ ...each, record }))
      .filter(({ asset_id: asset }) => asset == null || asset === book['asset_id'])
  }
})

const kalshi = (): Stored => {
  const market = { ticker: DAY.kalshiTicker }
  return { path: 'kalshi', market, book: market }
}

async function polymarket(demo: ServedDemo): Promise<Stored> {
  const { markets } = (await (await demo.get('/polymarket/market/list')).json()) as { markets: string[] }
  const counted = markets.map(async (id) => {
    const { dates } = (await (await demo.get(`/polymarket/market/coverage?condition_id=${id}`)).json()) as {
      dates: { record_count: number; books: { asset_id: string }[] }[]
    }
    return { id, count: dates[0]!.record_count, asset: dates[0]!.books[0]!.asset_id }
  })
  const { id, asset } = (await Promise.all(counted)).sort((a, b) => b.count - a.count)[0]!
  const market = { condition_id: id }
  return { path: 'polymarket', market, book: { ...market, asset_id: asset } }
}

const addressOf = ({ path, market, book }: Stored): string => {
  const { asset_id: asset } = book
  return `/explore/${path}/${Object.values(market)[0]}?${asset === undefined ? '' : `book=${asset}&`}`
}

async function recordOf(page: Page): Promise<number | null> {
  const record = new URL(page.url()).searchParams.get('record')
  return record === null ? null : Number(record)
}

const instantOf = async (page: Page): Promise<number> => Date.parse(new URL(page.url()).searchParams.get('at')!)

/** Waits until the URL has the record, because the page updates the URL with a delay. */
const waitForRecord = (page: Page, record: number) =>
  page.waitForURL((url) => url.searchParams.get('record') === String(record))

async function movedFrom(page: Page, from: number | null): Promise<number> {
  await page.waitForURL((url) => url.searchParams.get('record') !== (from === null ? null : String(from)))
  return (await recordOf(page))!
}
