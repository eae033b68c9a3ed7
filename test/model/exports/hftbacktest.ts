// Makes the rows of hftbacktest from the records of one book and date: once ordered by the exchange's time, and once
// by the local clock.

import { type BookEvent, bestFirst } from './book-events.ts'

export type EventRow = { ev: bigint; exch_ts: bigint; local_ts: bigint; px: number; qty: number }

const KINDS = { depth: 1n, trade: 2n, clear: 3n, snapshot: 4n }
const SIDES = { bid: 1n << 29n, ask: 1n << 28n, buy: 1n << 29n, sell: 1n << 28n }
const NS_PER_MS = 1_000_000n

type RowValues = Omit<EventRow, 'exch_ts' | 'local_ts'>

/** Returns the rows in both orders. `ev` lacks the bits that say which order a row is for. */
export function hftbacktestDay(events: readonly BookEvent[]): { exchange: EventRow[]; local: EventRow[] } {
  const rows: EventRow[] = []
  let exch_ts = 0n
  for (const event of events) {
    const eventNs = BigInt(event.timeMs) * NS_PER_MS
    const own = event.venueNs
    const exchangeNs = own !== undefined && own / NS_PER_MS === BigInt(event.timeMs) ? (own / 1_000n) * 1_000n : eventNs
    if (exchangeNs > exch_ts) exch_ts = exchangeNs
    const local_ts = event.receivedMs === null ? exch_ts : BigInt(event.receivedMs) * NS_PER_MS
    rows.push(...rowsOf(event).map((values) => ({ ...values, exch_ts, local_ts })))
  }
  const ordered = tradesFirst(rows)
  let deficit = 0n
  for (const row of ordered) if (row.exch_ts - row.local_ts > deficit) deficit = row.exch_ts - row.local_ts
  const exchange = ordered.map((row) => ({ ...row, local_ts: row.local_ts + deficit }))
  const local = exchange.toSorted((one, other) => Number(one.local_ts - other.local_ts))
  return { exchange, local }
}

function rowsOf({ kind, book, levels, trade }: BookEvent): RowValues[] {
  const clears = (['bid', 'ask'] as const).map((side) => {
    return { ev: KINDS.clear | SIDES[side], px: side === 'bid' ? 0 : 1, qty: 0 }
  })
  const row = (of: bigint, side: 'bid' | 'ask', price: bigint, size: bigint): RowValues => {
    return { ev: of | SIDES[side], px: Number(price) / 1e6, qty: Number(size) / 1e6 }
  }
  if (kind === 'gap') return clears
  if (kind === 'change') return levels.map(({ side, price, now }) => row(KINDS.depth, side, price, now))
  if (trade !== undefined) {
    const side = trade.side === null ? 0n : SIDES[trade.side]
    return [{ ev: KINDS.trade | side, px: Number(trade.price) / 1e6, qty: Number(trade.size) / 1e6 }]
  }
  const isWhole = kind === 'snapshot' || book.trust === 'established'
  const all = bestFirst(book).map(({ side, price, size }) => {
    return row(isWhole ? KINDS.snapshot : KINDS.depth, side, price, size)
  })
  return isWhole ? [...clears, ...all] : all
}

/** Moves trades before the other rows with the same two times. */
function tradesFirst(rows: EventRow[]): EventRow[] {
  const ordered: EventRow[] = []
  for (let start = 0; start < rows.length; ) {
    let end = start
    const isSame = ({ exch_ts, local_ts }: EventRow) =>
      exch_ts === rows[start]!.exch_ts && local_ts === rows[start]!.local_ts
    while (end < rows.length && isSame(rows[end]!)) end++
    const group = rows.slice(start, end)
    const isTrade = ({ ev }: EventRow) => (ev & 0xffn) === KINDS.trade
    ordered.push(...group.filter(isTrade), ...group.filter((row) => !isTrade(row)))
    start = end
  }
  return ordered
}
