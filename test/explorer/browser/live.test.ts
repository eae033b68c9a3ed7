// A market that grows, in the browser: what is committed is shown, at its newest, and a reader who looks elsewhere is
// left alone.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { capture, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { type Explorer, hasChromium, openExplorer } from '../../support/explorer/browser.ts'
import { AUTHORIZED, fakeAccounts } from '../../support/server.ts'
import { ServedStream } from '../../support/stream/served-stream.ts'

const KEY = AUTHORIZED.authorization.replace('Bearer ', '')
const BOOK = kalshiSnapshot([['0.40', '5.00']], [['0.55', '9.00']])
const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null }

describe.skipIf(!hasChromium)('a market that grows', () => {
  let served: ServedStream
  let explorer: Explorer
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
    await page.keyboard.press('l')
    await page.getByText(/^newest message \d+ d .* old$/).waitFor()
    await load('b', kalshiDelta(90_000, '0.42', '31.00'))
    const best = page.locator('.ladder tr.best-bid')
    await best.getByText('31', { exact: true }).waitFor()
    expect(await best.textContent()).toContain('42')
    await load('c', kalshiDelta(95_000, '0.43', '8.00'), kalshiDelta(96_000, '0.43', '4.00'))
    await best.getByText('12', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Link' }).waitFor()
    await live.click()
    await page.getByText(/^newest message/).waitFor({ state: 'detached' })
    // Who follows has the newest near the right edge of a view as long as before.
    await page.keyboard.press('t')
    await page.waitForURL(/zone=local/)
    const shown = new URL(page.url()).searchParams
    const [from, to] = [Date.parse(shown.get('from')!), Date.parse(shown.get('to')!)]
    expect([to - from, to - NOON > 96_000, shown.get('at')]).toEqual([70_000, true, instant(96_000)])
    expect(complaints).toEqual([])
  })

  test('leaves a view of the past where it is', async () => {
    const past = `from=${instant(0)}&to=${instant(30_000)}&at=${instant(10_000)}`
    await using visit = await explorer.visit(`/explore/kalshi/${TICKER}?${past}#key=${KEY}`)
    const { page, complaints } = visit
    await page.getByRole('button', { name: 'Live' }).click()
    await page.getByRole('button', { name: 'Newest' }).waitFor()
    const grown = page.waitForResponse(/\/coverage\?/)
    await load('d', kalshiDelta(120_000, '0.44', '3.00'))
    await grown
    expect(await page.locator('.ladder tr.best-bid').textContent()).toContain('40')
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.locator('.ladder tr.best-bid').getByText('3', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
})
