// Makes the rows of a Nautilus catalog from the records of one book and date.

import { type BookEvent, bestOf, printedLevels } from './book-events.ts'

export type Row = Record<string, bigint | number | string>
export type CatalogDay = { order_book_deltas: Row[]; quotes: Row[]; trades: Row[] }

const [ADD, UPDATE, DELETE, CLEAR] = [1, 2, 3, 4]
const [LAST, SNAPSHOT] = [128, 32]
const SIDES = { bid: 1, ask: 2 }
const AGGRESSORS = { buy: 1, sell: 2 }
const NS_PER_MS = 1_000_000n

/** Returns the rows. `unit` is the number of catalog units per 1e-6: 10^10, or 1,000 in builds of 64 bits. */
export function nautilusDay(events: readonly BookEvent[], date: string, unit: bigint): CatalogDay {
  const day: CatalogDay = { order_book_deltas: [], quotes: [], trades: [] }
  const firstNs = BigInt(Date.parse(`${date}T00:00:00Z`)) * NS_PER_MS
  const lastNs = firstNs + 86_400_000_000_000n - 1_000n
  let initNs = firstNs
  const timed = events.map((event) => {
    const receivedNs = BigInt(event.receivedMs ?? event.timeMs) * NS_PER_MS
    if (receivedNs > initNs) initNs = receivedNs > lastNs ? lastNs : receivedNs
    const statedNs = event.venueNs ?? -1n
    const eventNs = statedNs >= 0n && statedNs / 1_000n < 2n ** 53n ? statedNs : BigInt(event.timeMs) * NS_PER_MS
    return { ...event, times: { ts_event: eventNs, ts_init: initNs } }
  })
  for (const event of timed) {
    day.order_book_deltas.push(...deltasOf(event, unit).map((row) => ({ ...row, ...event.times })))
    if (event.trade === undefined) continue
    const { price, size, side } = event.trade
    day.trades.push({
      ...{ price: price * unit, size: size * unit, aggressor_side: side === null ? 0 : AGGRESSORS[side] },
      ...{ trade_id: `${date}-${event.record}`, ...event.times },
    })
  }
  day.quotes.push(...quotesOf(timed, unit))
  return day
}

function deltasOf({ kind, book, levels }: BookEvent, unit: bigint): Row[] {
  const row = (action: number, side: number, price: bigint, size: bigint, flags: number): Row => ({
    ...{ action, side, price: price * unit, size: size * unit },
    ...{ order_id: 0n, flags, sequence: 0n },
  })
  let rows: Row[] = []
  if (kind === 'opening' || kind === 'snapshot') {
    const isWhole = book.trust === 'established'
    const flags = isWhole ? SNAPSHOT : 0
    rows = printedLevels(book).map(({ side, price, size }) => row(ADD, SIDES[side], price, size, flags))
    if (isWhole) rows.unshift(row(CLEAR, 0, 0n, 0n, SNAPSHOT))
  }
  if (kind === 'gap') rows = [row(CLEAR, 0, 0n, 0n, SNAPSHOT)]
  if (kind === 'change') {
    const real = levels.filter(({ now, before }) => now > 0n || before > 0n)
    rows = real.map(({ side, price, now }) => row(now > 0n ? UPDATE : DELETE, SIDES[side], price, now, 0))
  }
  const last = rows.at(-1)
  if (last !== undefined) last['flags'] = (last['flags'] as number) | LAST
  return rows
}

/** Returns the top of a known book after each event, if both sides have levels and the top changed. */
function quotesOf(events: readonly (BookEvent & { times: Row })[], unit: bigint): Row[] {
  const rows: Row[] = []
  let before = ''
  const ofBook = events.filter(({ kind }) => kind !== 'trade')
  ofBook.forEach((event, i) => {
    const next = ofBook[i + 1]
    if (event.kind === 'gap') before = ''
    if (event.kind === 'gap' || event.book.trust !== 'established') return
    if (next !== undefined && next.kind === 'change' && !next.opensQuote) return
    const [bid, ask] = [bestOf(event.book, 'bid'), bestOf(event.book, 'ask')]
    const top = [bid?.price, bid?.size, ask?.price, ask?.size].join()
    if (top === before) return
    before = top
    if (bid === undefined || ask === undefined) return
    rows.push({
      ...{ bid_price: bid.price * unit, ask_price: ask.price * unit },
      ...{ bid_size: bid.size * unit, ask_size: ask.size * unit, ...event.times },
    })
  })
  return rows
}
