// long: a browser draws every view
// Checks what the ladder shows besides levels: whether the book is known, and what the last message changed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Explorer, hasChromium, openExplorer } from '../../support/explorer/browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'
import { type ReplayServer, serveReplay } from '../../support/replay/replay-server.ts'
import { TestStore } from '../../support/store.ts'

const TICKER = 'KXLADDER-1'
const CROSSED = 'KXLADDER-2'
const NOON = Date.parse('2026-07-20T12:00:00Z')

const snapshot = (ms: number, yes: string[][], no: string[][]) => ({
  type: 'orderbook_snapshot',
  sid: 1,
  seq: 1,
  msg: { market_ticker: TICKER, yes_dollars: yes, no_dollars: no, ts_ms: NOON + ms },
})

/** A book of two bids and an ask. First, the best bid loses 3 contracts. Then come a gap, a snapshot, and an empty
 *  book. */
const LINES = [
  snapshot(
    0,
    [
      ['0.4000', '10.00'],
      ['0.3900', '2.50'],
    ],
    [['0.5000', '20.50']],
  ),
  {
    type: 'orderbook_delta',
    sid: 1,
    seq: 2,
    msg: { market_ticker: TICKER, price_dollars: '0.4000', delta_fp: '-3.00', side: 'yes', ts_ms: NOON + 10_000 },
  },
  {
    type: 'gap',
    venue: 'kalshi',
    market: TICKER,
    msg: { reason: 'reconnect', from: NOON + 20_000, to: NOON + 40_000 },
  },
  snapshot(40_000, [['0.4100', '10.00']], []),
  snapshot(50_000, [], []),
]

const change = (seq: number, side: string, price: string, size: string) => ({
  type: 'orderbook_delta',
  ...{ sid: 1, seq },
  msg: { market_ticker: CROSSED, price_dollars: price, delta_fp: size, side, ts_ms: NOON + 1_000 * seq },
})
/** Without a snapshot: an ask of 9¢ that nothing removes, and a large bid above it. */
const CROSSED_LINES = [change(1, 'no', '0.9100', '5.00'), change(2, 'yes', '0.3100', '1054.43')]

describe.skipIf(!hasChromium)('the ladder', () => {
  const stored = new TestStore()
  let server: ReplayServer
  let explorer: Explorer

  beforeAll(async () => {
    await stored.loadLines(
      'ladder.ndjson',
      [...LINES, ...CROSSED_LINES].map((line) => JSON.stringify(line)),
    )
    server = serveReplay(stored.store)
    explorer = await openExplorer(`http://127.0.0.1:${server.port}`)
  }, 60_000)
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]()
    server[Symbol.dispose]()
    await stored.close()
  })

  const pathAt = (ms: number) => `/explore/kalshi/${TICKER}?at=${new Date(NOON + ms).toISOString()}`
  const addressAt = (ms: number) => `http://127.0.0.1:${server.port}${pathAt(ms)}`
  const open = (ms: number) => explorer.visit(`${pathAt(ms)}#key=any`)

  test('shows what is known at each instant', async () => {
    await using visit = await open(0)
    const { page, complaints } = visit
    for (const [ms, chips, isHatched, levels] of [
      [-1_000, ['unknown'], true, {}],
      [5_000, ['established'], false, { '40¢': '10', '39¢': '2.5', '50¢': '20.5' }],
      [15_000, ['established'], false, { '40¢': '7', '39¢': '2.5', '50¢': '20.5' }],
      [30_000, ['lost'], true, {}],
      [45_000, ['established'], false, { '41¢': '10' }],
      [55_000, ['established', 'empty'], false, {}],
    ] as const) {
      await page.goto(addressAt(ms))
      await eventually(async () => {
        expect([ms, await page.locator('.ladder .chip').allTextContents()]).toEqual([ms, [...chips]])
        expect([ms, await page.locator('.ladder table.unknown').count()]).toEqual([ms, isHatched ? 1 : 0])
        expect([ms, await levelsOf(page)]).toEqual([ms, levels])
      })
    }
    expect(complaints).toEqual([])
  })

  test('says that a book is crossed, and shows no row that cannot trade and no number that is cut off', async () => {
    const path = `/explore/kalshi/${CROSSED}?at=${new Date(NOON + 2_000).toISOString()}`
    await using visit = await explorer.visit(`${path}#key=any`)
    const { page, complaints } = visit
    await page.locator('.ladder .chip', { hasText: 'crossed' }).waitFor()
    await eventually(async () => expect(await changesOf(page)).toEqual({ '31¢': '+1,054' }))
    const difference = page.locator('.ladder .difference', { hasText: '+1,054' })
    expect(await difference.getAttribute('title')).toBe('+1,054.43')
    const widths = await difference.evaluate((node) => {
      const { scrollWidth, clientWidth } = node as unknown as { scrollWidth: number; clientWidth: number }
      return [scrollWidth, clientWidth] as const
    })
    expect(widths[0]).toBeLessThanOrEqual(widths[1])
    for (const price of ['0¢', '100¢'])
      expect(await page.locator('.ladder tbody th', { hasText: exactly(price) }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('marks what a message changed, forwards and backwards, and a gap', async () => {
    await using visit = await open(0)
    const { page, complaints } = visit
    await page.locator('.ladder .has-bid').first().waitFor()
    const step = async (key: string, record: number, changes: Record<string, string>) => {
      await page.keyboard.press(key)
      await page.waitForURL((url) => url.searchParams.get('record') === String(record))
      await eventually(async () => expect(await changesOf(page)).toEqual(changes))
    }
    const first = { '40¢': '−3' }
    const lost = { '40¢': '−7', '39¢': '−2.5', '50¢': '−20.5' }
    const begun = { '40¢': '+10', '39¢': '+2.5', '50¢': '+20.5' }
    await step('.', 1, first)
    await step('.', 2, lost)
    await page.locator('.ladder .chip').first().getByText('lost', { exact: true }).waitFor()
    await step('.', 3, { '41¢': '+10' })
    await step(',', 2, lost)
    await step(',', 1, first)
    await step(',', 0, begun)
    // If only levels have rows, a removed level keeps its row for one more step.
    await page.getByLabel('A row').selectOption('levels')
    await step('.', 1, first)
    await step('.', 2, lost)
    await step(',', 1, first)
    await step(',', 0, begun)
    await page.keyboard.press(',')
    await page.getByText('no message before this').waitFor()
    expect(complaints).toEqual([])
  })
})

/** Returns the sizes by price, of both sides. */
async function levelsOf(page: Page): Promise<Record<string, string>> {
  const rows = page.locator('.ladder :is(.has-bid, .has-ask)')
  const [prices, sizes] = [await rows.locator('th').allTextContents(), await rows.locator('.size').allTextContents()]
  return Object.fromEntries(prices.map((price, i) => [price, sizes[i]!]))
}

async function changesOf(page: Page): Promise<Record<string, string>> {
  const rows = page.locator('.ladder tbody tr', { has: page.locator('.difference:not(:empty)') })
  const prices = await rows.locator('th').allTextContents()
  const changes = await rows.locator('.difference:not(:empty)').allTextContents()
  return Object.fromEntries(prices.map((price, i) => [price, changes[i]!]))
}

const exactly = (text: string) => new RegExp(`^${text}$`)
