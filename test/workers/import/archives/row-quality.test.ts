// Goal: what is told of an archive's rows is what books that are kept as plain maps say of them; the repair removes what
// the archive did not, and is made only where it is named.

import { expect, test } from 'bun:test'
import { pmxtV2 } from '../../../../workers/import/formats/pmxt-v2.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { imported } from '../../../support/archives/imported.ts'
import { MemoryFile } from '../../../support/archives/parquet-bytes.ts'
import { decimal, marketNamed, type PmxtRow, pmxtBytes } from '../../../support/archives/pmxt-rows.ts'
import { withStore } from '../../../support/store.ts'

const AT = Date.UTC(2026, 4, 22, 17)
const MARKET = marketNamed(1)

type Book = { BUY: Map<number, number>; SELL: Map<number, number> }

const bestBid = ({ BUY }: Book) => (BUY.size === 0 ? 0 : Math.max(...BUY.keys()))
const bestAsk = ({ SELL }: Book) => (SELL.size === 0 ? 10_000 : Math.min(...SELL.keys()))

/** Over two hours; a book of which nothing is lost, whose rows say its best prices. */
function rowsOf(random: Random, count: number): PmxtRow[] {
  const book: Book = { BUY: new Map(), SELL: new Map() }
  return Array.from({ length: count }, (_, i): PmxtRow => {
    const received = AT + Math.floor((7_200_000 * i) / count)
    const at = { received, venue: received, market: MARKET, token: '7' }
    if (i === 0 || random.chance(0.03)) {
      if (random.chance(0.3)) book.BUY.set(random.between(1, 4_999), random.between(1, 99))
      const side = (of: Map<number, number>) =>
        JSON.stringify([...of].map(([tick, size]) => [decimal(tick, 4), String(size)]))
      return { ...at, type: 'book', bids: side(book.BUY), asks: side(book.SELL) }
    }
    const side = random.pick(['BUY', 'SELL'] as const)
    const levels = book[side]
    const isRemoval = levels.size > 0 && random.chance(0.4)
    const tick = isRemoval ? random.pick([...levels.keys()]) : random.between(1, 4_999) + (side === 'SELL' ? 5_000 : 0)
    const size = isRemoval ? 0 : random.between(1, 99)
    if (isRemoval) levels.delete(tick)
    else levels.set(tick, size)
    const best = { bestBid: decimal(bestBid(book), 4), bestAsk: decimal(bestAsk(book), 4) }
    return { ...at, type: 'price_change', price: decimal(tick, 4), size: String(size), side, ...best }
  })
}

/** By hour, from the rows alone. */
function slowly(rows: readonly PmxtRow[]) {
  const hours = new Map<number, Record<string, number>>()
  let book: Book | undefined
  for (const row of rows) {
    const hourMs = row.venue! - (row.venue! % 3_600_000)
    const hour = hours.get(hourMs) ?? {
      ...{ hourMs, rows: 0, bestPricesChecked: 0, bestPricesAgreed: 0 },
      ...{ snapshotsChecked: 0, snapshotsAgreed: 0, changes: 0, removals: 0 },
    }
    hours.set(hourMs, hour)
    hour['rows']!++
    if (row.type === 'book') {
      const said: Book = { BUY: levels(row.bids!), SELL: levels(row.asks!) }
      if (book !== undefined) {
        hour['snapshotsChecked']!++
        if (differing(book.BUY, said.BUY) + differing(book.SELL, said.SELL) <= 1) hour['snapshotsAgreed']!++
      }
      book = said
      continue
    }
    hour['changes']!++
    if (row.size === '0') hour['removals']!++
    if (book === undefined) continue
    const tick = Math.round(Number(row.price) * 10_000)
    if (row.size === '0') book[row.side as 'BUY'].delete(tick)
    else book[row.side as 'BUY'].set(tick, Number(row.size))
    hour['bestPricesChecked']!++
    const isBest = bestBid(book) === Math.round(Number(row.bestBid) * 10_000)
    if (isBest && bestAsk(book) === Math.round(Number(row.bestAsk) * 10_000)) hour['bestPricesAgreed']!++
  }
  return [...hours.values()]
}

const levels = (side: string) =>
  new Map(
    (JSON.parse(side) as [string, string][]).map(([price, size]) => [Math.round(Number(price) * 10_000), Number(size)]),
  )
const differing = (one: Map<number, number>, other: Map<number, number>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((tick) => one.get(tick) !== other.get(tick)).length

const file = (rows: PmxtRow[]) => new MemoryFile(pmxtBytes([rows]))
const isRemoval = ({ type, size }: PmxtRow) => type === 'price_change' && size === '0'

test.each([1, 2, 3])('as plain maps say, with rows lost or not, seed %d', (seed) =>
  withStore(async (store) => {
    const random = new Random(seed, 'quality')
    const rows = rowsOf(random, 600)
    const lossy = rows.filter((row, i) => i === 0 || !(isRemoval(row) && random.chance(0.1)))
    for (const of of [rows, lossy]) {
      const { hours } = await imported(store, pmxtV2, file(of))
      expect<unknown>(hours.map(({ venue: _, market: __, ...hour }) => hour)).toEqual(slowly(of))
    }
  }),
)

test.each([4, 5])('levels beyond the best prices are removed where that is asked for, seed %d', (seed) =>
  withStore(async (store) => {
    const rows = rowsOf(new Random(seed, 'quality'), 400)
    // The archive lost removals: what is at the top stays there.
    const lossy = rows.filter((row) => !isRemoval(row))
    const plain = await imported(store, pmxtV2, file(lossy))
    expect(agreed(plain.hours)).toEqual(agreed(slowly(lossy)))
    expect(agreed(plain.hours)).toBeLessThan(0.9)
    expect(plain.report.repaired).toBe(0)
    await withStore(async (repaired) => {
      const { hours, report } = await imported(repaired, pmxtV2, file(lossy), { repairs: ['clip-beyond-best'] })
      expect(agreed(hours)).toBe(1)
      expect(report.repaired).toBe(clipped(lossy).length - lossy.length)
      const [head] = await repaired.store.catalogue.heads('polymarket', MARKET)
      const { bestPricesChecked: checked, bestPricesAgreed } = head!.head.books[0]!.quality
      expect([checked > 0, bestPricesAgreed]).toEqual([true, checked])
      const records = await repaired.records('polymarket', MARKET, '2026-05-22')
      const entries = (from: { msg: object }[]) =>
        from.flatMap(({ msg }) => ('price_changes' in msg ? (msg.price_changes as object[]) : []))
      const told = clipped(lossy).filter(({ type }) => type === 'price_change')
      expect(entries(records)).toEqual(
        told.map(({ token, price, size, side, bestBid: bid, bestAsk: ask }) => ({
          ...{ asset_id: token, price, size, side, best_bid: bid, best_ask: ask },
        })),
      )
    })
  }),
)

const agreed = (hours: readonly Record<string, unknown>[]) => {
  const sum = (name: string) => hours.reduce((total, hour) => total + (hour[name] as number), 0)
  return sum('bestPricesAgreed') / sum('bestPricesChecked')
}

/** With a removal after each row for each level that is beyond its best prices. */
function clipped(rows: readonly PmxtRow[]): PmxtRow[] {
  const book: Book = { BUY: new Map(), SELL: new Map() }
  return rows.flatMap((row): PmxtRow[] => {
    if (row.type === 'book') {
      Object.assign(book, { BUY: levels(row.bids!), SELL: levels(row.asks!) })
      return [row]
    }
    const tick = Math.round(Number(row.price) * 10_000)
    book[row.side as 'BUY'].set(tick, Number(row.size))
    const [bid, ask] = [row.bestBid, row.bestAsk].map((price) => Math.round(Number(price) * 10_000))
    const bids = [...book.BUY.keys()].filter((at) => at > bid!).sort((one, other) => other - one)
    const asks = [...book.SELL.keys()].filter((at) => at < ask!).sort((one, other) => one - other)
    for (const at of bids) book.BUY.delete(at)
    for (const at of asks) book.SELL.delete(at)
    const removed = (side: string) => (at: number) => ({ ...row, price: decimal(at, 4), size: '0', side })
    return [row, ...bids.map(removed('BUY')), ...asks.map(removed('SELL'))]
  })
}
