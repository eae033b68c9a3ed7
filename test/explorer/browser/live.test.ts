// long: a browser draws every view
// Shows a growing market in the browser: a view at the newest record shows each commit, and a view of earlier records
// does not move. Replays and comparisons grow too.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { capture, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { type Explorer, hasChromium, openExplorer } from '../../support/explorer/browser.ts'
import { delta, snapshot, trade } from '../../support/replay/kalshi-lines.ts'
import { AUTHORIZED, fakeAccounts } from '../../support/server.ts'
import { ServedStream } from '../../support/stream/served-stream.ts'

const KEY = AUTHORIZED.authorization.replace('Bearer ', '')
const BOOK = kalshiSnapshot([['0.40', '5.00']], [['0.55', '9.00']])
const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null }

describe.skipIf(!hasChromium)('a market that grows', () => {
  let served: ServedStream
  let explorer: Explorer
  const loadLines = (name: string, lines: readonly string[]) => served.store.loadLines(name, [...lines])
  const load = (name: string, ...lines: Parameters<typeof capture>) =>
    served.store.loadLines(name, capture(...lines).split('\n'))

  beforeAll(async () => {
    served = new ServedStream({ accounts: { ...fakeAccounts, authenticate: () => ({ ok: true, key }) } })
    await load('a', { recv_ms: NOON, event: BOOK }, kalshiDelta(60_000, '0.41', '7.00'))
    explorer = await openExplorer(served.url)
  })
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]()
    await served[Symbol.asyncDispose]()
  })

  const instant = (ms: number) => new Date(NOON + ms).toISOString()

  test('is followed: its book, its time, and how old its newest message is', async () => {
    await using visit = await explorer.visit(
      `/explore/kalshi/${TICKER}?from=${instant(0)}&to=${instant(70_000)}#key=${KEY}`,
    )
    const { page, complaints } = visit
    const live = page.getByRole('button', { name: 'Live' })
    await live.waitFor()
    // The pointer is to the right of the newest record. The page does not call this future time "lost".
    const { x, y, width } = (await page.locator('.pane .surface').first().boundingBox())!
    await page.mouse.move(x + width - 2, y + 20)
    const ended = page.locator('.read-out').getByText('nothing recorded after this')
    await ended.waitFor()
    await page.keyboard.press('l')
    await page.getByText(/^newest message \d+ d .* old$/).waitFor()
    await ended.waitFor({ state: 'detached' })
    await load('b', kalshiDelta(90_000, '0.42', '31.00'))
    const best = page.locator('.ladder tr.best-bid')
    await best.filter({ hasText: '42' }).getByText('31', { exact: true }).waitFor()
    await load('c', kalshiDelta(95_000, '0.43', '8.00'), kalshiDelta(96_000, '0.43', '4.00'))
    await best.getByText('12', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Link' }).waitFor()
    await live.click()
    await page.getByText(/^newest message/).waitFor({ state: 'detached' })
    await ended.waitFor()
    // A view that follows keeps its length, and has the newest record near its right edge.
    await page.keyboard.press('t')
    await page.waitForURL(/zone=local/)
    const shown = new URL(page.url()).searchParams
    const [from, to] = [Date.parse(shown.get('from')!), Date.parse(shown.get('to')!)]
    expect([to - from, to - NOON > 96_000, shown.get('at')]).toEqual([70_000, true, instant(96_000)])
    expect(complaints).toEqual([])
  })

  test('is replayed to its new end, and the ladder shows the book there', async () => {
    const ticker = 'KXREPLAYED-1'
    const line = (ms: number, price: string, size: string, seq: number) =>
      delta(ticker, NOON + ms, price, size, 'yes', seq)
    await loadLines('r1', [
      snapshot(ticker, NOON, [['0.40', '5.00']], [['0.55', '9.00']], 1),
      line(10_000, '0.41', '7.00', 2),
    ])
    const view = `from=${instant(0)}&to=${instant(400_000)}&at=${instant(0)}&messages`
    await using visit = await explorer.visit(`/explore/kalshi/${ticker}?${view}#key=${KEY}`)
    const { page, complaints } = visit
    const best = page.locator('.ladder:not(.late) tr.best-bid')
    const shows = (price: string, size: string) =>
      best
        .filter({ has: page.getByText(price, { exact: true }) })
        .getByText(size, { exact: true })
        .waitFor()
    const has = (records: number) => page.locator('.coverage summary').getByText(`${records} records`).waitFor()
    const isAt = (ms: number) => page.waitForURL((url) => url.searchParams.get('at') === instant(ms))
    // Loads the whole day into the views below the chart: trades, raw records and changes.
    await shows('40¢', '5')
    await page.keyboard.press('n')
    await page.getByText('no trade after this').waitFor()
    await page.keyboard.press('.')
    await isAt(10_000)
    await page.keyboard.press('>')
    await page.getByText('no quote after this').waitFor()
    // A view at the newest quote follows new ones, so this one moves back to an earlier quote.
    await page.keyboard.press(',')
    await isAt(0)
    await page.keyboard.press('l')
    await page.getByText(/^newest message \d+ d .* old$/).waitFor()

    await loadLines('r2', [
      line(20_000, '0.30', '1.00', 3),
      trade(ticker, NOON + 30_000, '0.4100', '2.00'),
      line(31_000, '0.41', '-2.00', 4),
    ])
    await has(5)
    await page.keyboard.press('n')
    await isAt(30_000)
    await page.locator('.messages tr.current').getByText('trade', { exact: true }).waitFor()
    await shows('41¢', '7')
    await page.keyboard.press('.')
    await isAt(31_000)
    await shows('41¢', '5')
    await page.keyboard.press('<')
    await isAt(10_000)
    await page.keyboard.press('>')
    await isAt(31_000)

    // Plays over records that arrive after the start: half a minute of the market in a few seconds.
    await page.getByLabel('Speed').selectOption('5')
    await loadLines('r3', [line(60_000, '0.42', '3.00', 5)])
    await has(6)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await loadLines('r4', [line(62_000, '0.43', '11.00', 6)])
    await isAt(62_000)
    await shows('43¢', '11')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(complaints).toEqual([])
  }, 120_000)

  test('leaves a view of the past where it is', async () => {
    const past = `from=${instant(0)}&to=${instant(30_000)}&at=${instant(10_000)}`
    await using visit = await explorer.visit(`/explore/kalshi/${TICKER}?${past}#key=${KEY}`)
    const { page, complaints } = visit
    await page.getByRole('button', { name: 'Live' }).click()
    await page.getByRole('button', { name: 'Newest' }).waitFor()
    await load('d', kalshiDelta(120_000, '0.44', '3.00'))
    await page
      .getByText(/^Coverage of/)
      .locator('..')
      .getByText('6 records')
      .waitFor()
    expect(await page.locator('.ladder tr.best-bid').textContent()).toContain('40')
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.locator('.ladder tr.best-bid').getByText('3', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('is followed next to another one, together with their difference', async () => {
    const tickers = ['KXBESIDE-1', 'KXBESIDE-2'] as const
    const begin = (ticker: string) => snapshot(ticker, NOON, [['0.40', '5.00']], [['0.60', '9.00']], 1)
    await loadLines('p1', tickers.map(begin))
    const view = `a=kalshi:${tickers[0]}&b=kalshi:${tickers[1]}&from=${instant(0)}&to=${instant(60_000)}`
    await using visit = await explorer.visit(`/explore/compare?${view}#key=${KEY}`)
    const { page, complaints } = visit
    await page.locator('.chart-panes[aria-busy=false]').waitFor()
    await page.keyboard.press('l')
    await page.getByText(/^newest message \d+ d .* old$/).waitFor()
    const readOutShows = (text: string) => page.locator('.read-out').getByText(text).waitFor()
    const both = (ms: number, prices: readonly [string, string], seq: number) =>
      tickers.map((ticker, i) => delta(ticker, NOON + ms, prices[i]!, '1.00', 'yes', seq))
    await loadLines('p2', both(30_000, ['0.50', '0.42'], 2))
    await readOutShows('first − second 4')
    await loadLines('p3', both(90_000, ['0.51', '0.45'], 3))
    await readOutShows('first − second 3')
    await page.getByRole('button', { name: 'Live' }).click()
    await page.keyboard.press('t')
    await page.waitForURL(/zone=local/)
    const shown = new URL(page.url()).searchParams
    const [from, to] = [Date.parse(shown.get('from')!), Date.parse(shown.get('to')!)]
    expect([to - from, to > NOON + 90_000, shown.get('at')]).toEqual([60_000, true, instant(90_000)])
    expect(complaints).toEqual([])
  }, 120_000)
})
