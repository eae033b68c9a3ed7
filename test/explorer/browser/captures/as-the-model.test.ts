// long: a browser draws every view
// Compares the numbers that the page shows for real captures with the slow model: the ladder and the values above it,
// the table of the chart, and time and sales.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Random } from '../../../../workers/synthetic/random.ts'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { FED, JOKIC, KALSHI_OTHER, KALSHI_RECONNECT, linesOf } from '../../../captures/capture-text.ts'
import { loadTexts, type ModelStore } from '../../../model/model.ts'
import { type BookAnswer, bookAt } from '../../../model/questions/book-at.ts'
import { tradesIn } from '../../../model/questions/trades.ts'
import { partOf } from '../../../run/effort.ts'
import { capture, hasCaptures } from '../../../support/captures.ts'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'

const LONG_MS = 300_000
const NOW = Date.parse('2026-11-01')
const INSTANTS = 8
/** The day that a server starts with, in addition to the captures. */
const TINY = syntheticDay({ date: '2026-07-20', kalshiRecords: 300, polymarketRecords: 300 })

describe.skipIf(!hasCaptures || !hasChromium).each(partOf([KALSHI_OTHER, KALSHI_RECONNECT, FED, JOKIC], 2))(
  '%s',
  (path) => {
    const served = demoBrowser({ kind: 'memory', day: TINY, files: [capture(path)], loadingMs: NOW })
    const model = hasCaptures ? loadTexts([linesOf(path).join('\n')], NOW) : (undefined as never)
    const subject = hasCaptures ? subjectOf(model) : (undefined as never)
    const random = new Random(path.length, path)

    /** Opens the market's page with this query. */
    const visit = (query: Record<string, string>) => {
      const { venue, market, book } = subject
      const requested = new URLSearchParams({ ...(venue === 'polymarket' && { book }), ...query })
      return served.explorer.visit(`/explore/${venue}/${market}?${requested}#key=${served.demo.secret}`)
    }

    test(
      'the ladder',
      async () => {
        await using opened = await visit({ at: isoOf(subject.instants[0]!) })
        const { page, complaints } = opened
        for (const ms of pickFrom(random, subject.instants, INSTANTS)) {
          await page.evaluate(`history.pushState(null, '', '?' + new URLSearchParams({
        ...Object.fromEntries(new URLSearchParams(location.search)), at: ${JSON.stringify(isoOf(ms))} }))
        dispatchEvent(new PopStateEvent('popstate'))`)
          const expected = subject.bookAt(ms)
          await eventually(async () => {
            const shown = await shownLadder(page)
            expect({ ms, ...shown }).toEqual({ ms, ...ladderOf(expected, shown) })
          })
        }
        expect(complaints).toEqual([])
      },
      LONG_MS,
    )

    test(
      'the table of the chart',
      async () => {
        const { instants } = subject
        const [fromMs, toMs] = [instants[0]!, instants.at(-1)!]
        const third = (toMs - fromMs) / 3
        for (const [from, to] of [
          [fromMs, toMs],
          [fromMs + third, fromMs + 2 * third],
        ] as const) {
          await using opened = await visit({ from: isoOf(from), to: isoOf(to) })
          const { page } = opened
          await page.locator('.as-table summary').click()
          await page.locator('.as-table tbody tr').nth(3).waitFor()
          await eventually(async () => {
            const rows = await shownTable(page)
            const starts = rows.map(({ from }) => Date.parse(`${from.replace(' ', 'T')}Z`))
            expect(rows.length).toBeGreaterThan(10)
            // Checks some rows, because the model is slow. Leaves out the last row, which ends with the chart.
            for (let i = random.below(4); i < rows.length - 1; i += 4) {
              const { from, ...row } = rows[i]!
              expect({ from, ...row }).toEqual({ from, ...subject.rowOf(starts[i]!, starts[i + 1]!) })
            }
          })
        }
      },
      LONG_MS,
    )

    test(
      'time and sales',
      async () => {
        const at = random.pick(subject.instants)
        const date = isoOf(at).slice(0, 10)
        const trades = subject.trades(date)
        await using opened = await visit({ at: isoOf(at), trades: '' })
        const { page } = opened
        await page
          .locator('.sales header')
          .getByText(`${trades.length.toLocaleString('en-US')} of`)
          .waitFor()
        const rows = await page
          .locator('.sales tbody tr')
          .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent!)))
        const last = trades.findLastIndex(({ timestamp }) => timestamp <= at)
        const expected = trades.slice(Math.max(0, last - 100), last + 100).map(({ timestamp, side, price, size }) => {
          return [isoOf(timestamp).slice(11, 23), side, ...levelOf(price, size)]
        })
        const sideIn = (text: string) => (text.includes('bought') ? 'buy' : text.includes('sold') ? 'sell' : null)
        const sales = rows.map(([time, side, price, size]) => [time, sideIn(side!), numberIn(price!), numberIn(size!)])
        expect(sales).toEqual(expected)
      },
      LONG_MS,
    )
  },
)

const isoOf = (ms: number): string => new Date(Math.round(ms)).toISOString()
const cents = (dollars: number | null | undefined): number | null =>
  dollars == null || Number.isNaN(dollars) ? null : Number((dollars * 100).toFixed(4))
const pickFrom = (random: Random, all: readonly number[], count: number) =>
  Array.from({ length: count }, () => random.pick(all))

/** Returns the capture's book with the most records, and functions that ask the model about it. */
function subjectOf(model: ModelStore) {
  const venue = model.markets('kalshi').length > 0 ? 'kalshi' : 'polymarket'
  const market = model.markets(venue)[0]!
  const partitions = model.partitions(venue, market)
  const records = partitions.flatMap((partition) => partition.records)
  const counts = Map.groupBy(records, ({ book }) => book)
  const book = [...counts].filter(([id]) => id !== null).sort(([, a], [, b]) => b.length - a.length)[0]![0]!
  const inferredGaps = (date: string) => model.quality(venue, market, date, book).inferredGaps
  const at = (ms: number) => bookAt(partitions, book, { until: { ms }, inferredGaps })
  const trades = (range: Parameters<typeof tradesIn>[2]) => tradesIn(partitions, book, range)
  return {
    ...{ venue, market, book, bookAt: at },
    instants: counts.get(book)!.map(({ timestamp }) => timestamp),
    trades: (date: string) => trades({ date }),
    /** Returns the row that the table must show for the time from `fromMs` to the ms before `toMs`. */
    rowOf(fromMs: number, toMs: number) {
      const { bids, asks, trust } = at(toMs - 1)
      const [bid, ask] = trust === 'lost' ? [undefined, undefined] : [bids[0]?.[0], asks[0]?.[0]]
      const request = { startTimestamp: fromMs, endTimestamp: toMs - 1 }
      const buckets = model.summary({
        ...{ venue, market, assetId: book, ...request, resolution: 1, fill: 'observed' as const, nowMs: NOW },
      })
      const taken = trades(request)
      const sum = (side: string) => taken.filter((each) => each.side === side).reduce((all, { size }) => all + size, 0)
      return {
        bid: cents(bid),
        ask: cents(ask),
        spread: bid === undefined || ask === undefined ? null : cents(ask - bid),
        quotes: buckets.reduce((all, { quote_count }) => all + quote_count, 0),
        bought: Number(sum('buy').toFixed(2)),
        sold: Number(sum('sell').toFixed(2)),
      }
    },
  }
}

type Level = [price: number | null, size: number]
type Ladder = { bids: Level[]; asks: Level[]; trust: string; trade: Level | null }

const levelOf = (price: number, size: number): Level => [cents(price), Number(size.toFixed(2))]

/** Returns the ladder that the page must show for an answer, with as many levels as `shown`: the page has room for
 *  only some. Leaves out best prices that the venue stated without a size. */
function ladderOf({ bids, asks, trust, last_trade: trade }: BookAnswer, shown: Ladder): Ladder {
  const of = (levels: BookAnswer['bids'], count: number) =>
    levels
      .filter(([, size]) => size > 0)
      .slice(0, Math.max(count, 1))
      .map(([price, size]) => levelOf(price, size))
  return {
    bids: trust === 'lost' ? [] : of(bids, shown.bids.length),
    asks: trust === 'lost' ? [] : of(asks, shown.asks.length),
    trust,
    trade: trade && levelOf(trade.price, trade.size),
  }
}

/** Reads the ladder from the page, each side best first. */
async function shownLadder(page: Page): Promise<Ladder> {
  const { rows, trust, trade } = await page.evaluate<{
    rows: [string, string, string][]
    trust: string
    trade: string
  }>(`(() => {
    const rows = [...document.querySelectorAll('.ladder:not(.late) tbody tr')].map((row) => [
      row.querySelector('th').textContent,
      row.querySelector('.bid .size')?.title ?? '',
      row.querySelector('.ask .size')?.title ?? '',
    ])
    const facts = [...document.querySelectorAll('.ladder dd')].map((each) => each.textContent)
    return { rows, trust: document.querySelector('.ladder .chip')?.textContent ?? '', trade: facts[2] ?? '' }
  })()`)
  const levels = (side: 1 | 2) =>
    rows.filter((row) => row[side] !== '').map((row): Level => [numberIn(row[0]), numberIn(row[side])!])
  const [price, size] = trade.split('×')
  return {
    bids: levels(1),
    asks: levels(2).toReversed(),
    trust: trust.replace(/ until .*/, ''),
    trade: size === undefined ? null : [numberIn(price!), numberIn(size)!],
  }
}

type TableRow = { from: string; bid: number | null; ask: number | null; spread: number | null } & Traded
type Traded = { quotes: number; bought: number; sold: number }

async function shownTable(page: Page): Promise<TableRow[]> {
  const { heads, rows } = await page.evaluate<{ heads: string[]; rows: string[][] }>(`(() => {
    const texts = (selector) => [...document.querySelectorAll('.as-table ' + selector)].map((each) => each.textContent)
    const rows = [...document.querySelectorAll('.as-table tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent))
    return { heads: texts('thead th'), rows }
  })()`)
  return rows.map((cells) => {
    const of = (head: string) => numberIn(cells[heads.indexOf(head)]!)
    return {
      ...{ from: cells[0]!, bid: of('best bid'), ask: of('best ask'), spread: of('spread') },
      ...{ quotes: of('quotes')!, bought: of('bought')!, sold: of('sold')! },
    }
  })
}

/** Returns the number in the text; null if there is none. */
const numberIn = (text: string): number | null => (/\d/.test(text) ? Number(text.replace(/[^0-9.]/g, '')) : null)
