// Goal: the repair `clip-beyond-best` removes levels whose removal the archive lost, and runs only if it is requested.

import { expect, test } from 'bun:test'
import { imported } from '../../../test/support/archives/imported.ts'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import { decimal, marketNamed, type PmxtRow, pmxtBytes } from '../../../test/support/archives/pmxt-rows.ts'
import { type TestStore, withStore } from '../../../test/support/store.ts'
import { Random } from '../../synthetic/random.ts'
import { pmxtV2 } from '../formats/pmxt-v2.ts'

const AT = Date.UTC(2026, 4, 22, 17)
const MARKET = marketNamed(1)

type Book = { BUY: Map<number, number>; SELL: Map<number, number> }

const bestBid = ({ BUY }: Book) => (BUY.size === 0 ? 0 : Math.max(...BUY.keys()))
const bestAsk = ({ SELL }: Book) => (SELL.size === 0 ? 10_000 : Math.min(...SELL.keys()))

/** Returns rows of two hours of one book, without a loss. Each change has the best prices after it. */
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

const levels = (side: string) =>
  new Map(
    (JSON.parse(side) as [string, string][]).map(([price, size]) => [Math.round(Number(price) * 10_000), Number(size)]),
  )
const file = (rows: PmxtRow[]) => new MemoryFile(pmxtBytes([rows]))
const isRemoval = ({ type, size }: PmxtRow) => type === 'price_change' && size === '0'

test.each([4, 5])('levels beyond the best prices are removed on request, seed %d', (seed) =>
  withStore(async (store) => {
    const rows = rowsOf(new Random(seed, 'clipped'), 400)
    // The archive lost removals, so levels at the top of the book stay.
    const lossy = rows.filter((row) => !isRemoval(row))
    const plain = await imported(store, pmxtV2, file(lossy))
    expect(plain.report.repaired).toBe(0)
    const counts = await bestPrices(store)
    expect(counts.agreed).toBeLessThan(counts.checked)
    await withStore(async (repaired) => {
      const { report } = await imported(repaired, pmxtV2, file(lossy), { repairs: ['clip-beyond-best'] })
      expect(report.repaired).toBe(clipped(lossy).length - lossy.length)
      const { agreed, checked } = await bestPrices(repaired)
      expect([checked > 0, agreed]).toEqual([true, checked])
      const records = await repaired.records('polymarket', MARKET, '2026-05-22')
      const entries = (from: { msg: object }[]) =>
        from.flatMap(({ msg }) => ('price_changes' in msg ? (msg.price_changes as object[]) : []))
      const changes = clipped(lossy).filter(({ type }) => type === 'price_change')
      expect(entries(records)).toEqual(
        changes.map(({ token, price, size, side, bestBid: bid, bestAsk: ask }) => ({
          ...{ asset_id: token, price, size, side, best_bid: bid, best_ask: ask },
        })),
      )
    })
  }),
)

async function bestPrices({ store }: TestStore) {
  const [head] = await store.catalogue.heads('polymarket', MARKET)
  const { bestPricesChecked: checked, bestPricesAgreed: agreed } = head!.head.books[0]!.quality
  return { agreed, checked }
}

/** Adds a removal after each row for each level that is beyond the row's best prices. */
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
