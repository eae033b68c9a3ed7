// Compares the last stored book of a market with the venue's book.

import type { Store } from '../../../storage/open-store.ts'
import { type BookAt, bookAt } from '../../../workers/instant/book-at.ts'
import type { TrialMarket, TrialVenues } from './trial-venues.ts'

type Levels = [price: number, size: number][]
type Sides = { bids: Levels; asks: Levels }
type Servers = Pick<TrialVenues, 'polymarket' | 'kalshi'>

const DEPTH = 10_000
const LATER_MS = 60_000

/** Returns the faults of a market's books. */
export async function wrongBooks(
  store: Store,
  market: TrialMarket,
  servers: Servers,
  mayBeLost = false,
): Promise<string[]> {
  const wrong: string[] = []
  for (const book of market.tokens ?? [market.market]) {
    const at = { ms: Date.now() + LATER_MS }
    const found = await bookAt(store, { venue: market.venue, market: market.market, book, at, depth: DEPTH })
    const expected = market.tokens === null ? kalshiBook(servers, book) : polymarketBook(servers, book)
    if (mayBeLost && found.trust === 'lost') continue
    const different = differenceOf(found, expected)
    if (different !== undefined) wrong.push(`the book ${book.slice(0, 30)} ${different}`)
  }
  return wrong
}

function differenceOf(found: BookAt, expected: Sides): string | undefined {
  if (found.trust !== 'established') return `is ${found.trust}`
  if (found.verified === false) return 'has another hash than the venue says'
  for (const side of ['bids', 'asks'] as const) {
    const [has, should] = [found[side], expected[side]].map((levels) => JSON.stringify(levels))
    if (has !== should) return `has the ${side} ${has}, the venue's are ${should}`
  }
  return undefined
}

function polymarketBook({ polymarket }: Servers, token: string): Sides {
  const { bids, asks } = polymarket.bookOf(token).rest(token) as Record<string, { price: string; size: string }[]>
  const levels = (list: { price: string; size: string }[]): Levels =>
    list.map(({ price, size }) => [Number(price), Number(size)])
  return { bids: levels(bids!).reverse(), asks: levels(asks!).reverse() }
}

function kalshiBook({ kalshi }: Servers, ticker: string): Sides {
  const snapshot = kalshi.snapshotOf(ticker) as Record<string, [string, string][]>
  const levels = (key: string): Levels => (snapshot[key] ?? []).map(([price, size]) => [Number(price), Number(size)])
  const asks = levels('no_dollars_fp').map(([price, size]): [number, number] => [
    Math.round((1 - price) * 1e4) / 1e4,
    size,
  ])
  return { bids: levels('yes_dollars_fp').reverse(), asks: asks.reverse() }
}
