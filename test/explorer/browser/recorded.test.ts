// long: a browser draws every view
// Shows a market in the browser while a recorder beside the server records it from a venue's sockets. The ladder shows
// what the venue sends, also after the connection broke.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Explorer, hasChromium, openExplorer } from '../../support/explorer/browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'
import { emptyFolder, endRecorders, recordToml, seenOf } from '../../support/record/record-process.ts'
import { KalshiServer } from '../../support/venues/kalshi-server.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const [TICKER, OTHER] = ['KXRECORDED-1', 'KXRECORDED-2'] as const
const START_MS = 60_000

describe.skipIf(!hasChromium)('a market that is recorded', () => {
  const venue = new KalshiServer()
  const data = emptyFolder()
  let serving: Bun.Subprocess
  let explorer: Explorer

  beforeAll(async () => {
    await venue.start()
    for (const ticker of [TICKER, OTHER]) venue.setBook(ticker, { yes: [[4_000, 500]], no: [[5_000, 700]] })
    const text = `commit_seconds = 0.2\n[kalshi]\nws_url = "${venue.wsUrl}"\nrest_url = ""\n`
    const config = recordToml(emptyFolder(), `${text}tickers = ["${TICKER}", "${OTHER}"]\n`)
    const words = ['serve', '--data', data, '--port', '0', '--record', config, '--local-access', 'open']
    const env = { PATH: process.env['PATH'] ?? '', WORKER_THREADS: '1' }
    const child = Bun.spawn([process.execPath, MAIN, ...words], { env, stdout: 'pipe', stderr: 'ignore' })
    serving = child
    const { value } = await child.stdout.getReader().read()
    explorer = await openExplorer(/http:\S+/.exec(new TextDecoder().decode(value))![0])
    await stored(2)
  }, START_MS)
  afterAll(async () => {
    await explorer?.[Symbol.asyncDispose]()
    serving?.kill('SIGTERM')
    await serving?.exited
    await endRecorders()
    await venue.stop()
  })

  const stored = (count: number) => seenOf(data, ({ status }) => status.loading.records_added >= count)

  /** Waits until the ladder shows the venue's own book. */
  async function showsBook(page: Page, ticker: string): Promise<void> {
    const { yes_dollars_fp: bids = [], no_dollars_fp: asks = [] } = venue.snapshotOf(ticker) as VenueBook
    const cents = (dollars: number) => `${Number((dollars * 100).toFixed(2))}¢`
    const rows = (levels: VenueBook['yes_dollars_fp'] = [], price: (text: string) => number) =>
      levels.map(([text, size]) => `${cents(price(text))} ${Number(size)}`).toSorted()
    const expected = { bids: rows(bids, Number), asks: rows(asks, (text) => 1 - Number(text)) }
    await eventually(async () => expect(await page.evaluate<unknown>(LEVELS)).toEqual(expected))
  }

  test('grows by itself, can be stepped through, and shows that a connection broke', async () => {
    await using visit = await explorer.visit(`/explore/kalshi/${TICKER}`)
    const { page, complaints } = visit
    await page.getByText(/^newest message .* old$/).waitFor()
    await showsBook(page, TICKER)
    for (let i = 0; i < 40; i++) {
      venue.delta(TICKER, 'yes', 4_100 + (i % 5) * 100, 100 + i)
      venue.delta(TICKER, 'no', 5_000 + (i % 3) * 100, 100)
      if (i % 10 === 9) venue.trade(TICKER, 4_500, 300, 'yes')
      await Bun.sleep(30)
    }
    await showsBook(page, TICKER)
    await page.keyboard.press('p')
    await page.waitForURL(/record=/)
    const record = recordOf(page.url())
    await page.keyboard.press('n')
    await page.waitForURL((url) => recordOf(url.href) > record)
    await page.getByRole('button', { name: 'Newest' }).click()

    for (const { socket } of [...venue.peers]) socket.drop()
    await seenOf(data, ({ status }) => status.venues.kalshi?.books_lost === 0 && venue.opened > 1)
    venue.delta(TICKER, 'yes', 4_600, 2_500)
    await showsBook(page, TICKER)
    await page.locator('.coverage summary').click()
    await page.locator('.coverage .missed li').first().waitFor()
    expect(complaints).toEqual([])
  }, 120_000)

  test('is followed next to another one', async () => {
    const now = Date.now()
    // Sets the range explicitly: just after midnight, the current day is only a minute old.
    const span = `from=${new Date(now - 60_000).toISOString()}&to=${new Date(now + 600_000).toISOString()}`
    await using visit = await explorer.visit(`/explore/compare?a=kalshi:${TICKER}&b=kalshi:${OTHER}&${span}`)
    const { page, complaints } = visit
    await page.getByText(/^newest message .* old$/).waitFor()
    const best = Number(
      (venue.snapshotOf(TICKER) as VenueBook)
        .yes_dollars_fp!.map(([price]) => price)
        .toSorted()
        .at(-1),
    )
    venue.delta(TICKER, 'yes', Math.round(best * 10_000), 100)
    venue.delta(OTHER, 'yes', 4_200, 100)
    await page.locator('.read-out .second').getByText('(42').waitFor()
    expect(complaints).toEqual([])
  }, 120_000)

  test('belongs to a venue that is being recorded', async () => {
    await using visit = await explorer.visit('/status')
    const { page, complaints } = visit
    await page.getByRole('region', { name: 'kalshi' }).getByText('Being recorded').waitFor()
    expect(complaints).toEqual([])
  })
})

const recordOf = (address: string): number => Number(new URL(address).searchParams.get('record'))

type VenueBook = { yes_dollars_fp?: [price: string, size: string][]; no_dollars_fp?: [price: string, size: string][] }

/** A script that returns price and size of all rows of the ladder, sorted as texts. */
const LEVELS = `(() => {
  const rows = [...document.querySelectorAll('.ladder:not(.late) tbody tr')]
  const of = (side) => rows.filter((row) => row.classList.contains('has-' + side)).map((row) => {
    const text = (cell) => row.querySelector(cell).textContent.replace(/[,¢]/g, '')
    return Number(text('th')) + '¢ ' + Number(text('.' + side + ' .size'))
  }).toSorted()
  return { bids: of('bid'), asks: of('ask') }
})()`
