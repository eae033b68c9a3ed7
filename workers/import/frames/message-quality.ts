// How good the messages of an archive are, from their JSON: whether books agree with the best prices and the snapshots
// that they say.

import type { Venue } from '../../../storage/venue.ts'
import type { HourQuality, RowQuality } from '../quality/row-quality.ts'

type Message = { venue: Venue; market: string; kind: string; timeMs: number; text: string }
type Value = Record<string, unknown>
type Side = { ticks: number[]; sizes: number[] }

const TICKS_IN_DOLLAR = 10_000
const CENT_TICKS = 100
/** Books that are followed at once, each of which takes 160 KB. Beyond that all begin anew with their next snapshot. */
const BOOKS_MAX = 400
const counts = new WeakMap<RowQuality, Set<string>>()

export function tellQuality(quality: RowQuality, { venue, market, kind, timeMs, text }: Message): void {
  const hour = quality.row(venue, market, timeMs)
  if (kind !== 'snapshot' && kind !== 'delta') return
  const whole = JSON.parse(text) as Value
  const message = isObject(whole['msg']) ? whole['msg'] : whole
  if (venue === 'kalshi') tellKalshi(quality, hour, market, kind, message)
  else tellPolymarket(quality, hour, market, kind, message)
}

function tellPolymarket(quality: RowQuality, hour: HourQuality, market: string, kind: string, message: Value): void {
  if (kind === 'snapshot') {
    const [bids, asks] = [message['bids'], message['asks']].map((levels) => sideOf(listOf(levels).map(levelOf), false))
    return quality.snapshot(hour, bookOf(quality, market, String(message['asset_id'])), bids!, asks!)
  }
  const list = ['price_changes', 'changes'].map((key) => message[key]).find(Array.isArray) ?? [message]
  const last = new Map<string, Value>()
  for (const entry of list.filter(isObject)) {
    const id = String(entry['asset_id'] ?? message['asset_id'])
    last.set(id, entry)
    const size = Number(entry['size'])
    hour.changes++
    if (size === 0) hour.removals++
    bookOf(quality, market, id).change(entry['side'] === 'BUY' ? 'bid' : 'ask', tickOf(entry['price']), size)
  }
  // They are said of the book after the whole message.
  for (const [id, { best_bid: bid, best_ask: ask }] of last) {
    if (typeof bid !== 'string' || typeof ask !== 'string') continue
    const [bidTick, askTick] = [tickOf(bid), tickOf(ask)]
    const isNoAsk = ask === '' || askTick === 0 || askTick >= TICKS_IN_DOLLAR
    quality.best(
      hour,
      bookOf(quality, market, id),
      bid === '' || bidTick === 0 ? -1 : bidTick,
      isNoAsk ? NO_ASK : askTick,
    )
  }
}

const NO_ASK = TICKS_IN_DOLLAR + 1

/** NO at p is an ask of YES at 1 - p. */
function tellKalshi(quality: RowQuality, hour: HourQuality, market: string, kind: string, message: Value): void {
  const book = bookOf(quality, market, market)
  if (kind === 'snapshot') {
    const inner = [message['orderbook_fp'], message['orderbook']].find(isObject) ?? message
    const [yes, no] = (['yes', 'no'] as const).map((side) => {
      const key = [`${side}_dollars_fp`, `${side}_dollars`, side].find((name) => Array.isArray(inner[name]))
      const levels = key === undefined ? [] : listOf(inner[key]).filter(Array.isArray)
      return sideOf(
        levels.map(([price, size]) => ({ tick: kalshiTick(key!, price), size: sizeOf(size) })),
        side === 'no',
      )
    })
    return quality.snapshot(hour, book, yes!, no!)
  }
  const priceKey = message['price_dollars'] == null ? 'price' : 'price_dollars'
  const tick = kalshiTick(priceKey, message[priceKey])
  hour.changes++
  const isBid = message['side'] === 'yes'
  const change = sizeOf(message['delta_fp'] ?? message['delta'])
  if (change < 0) hour.removals++
  book.add(isBid ? 'bid' : 'ask', isBid ? tick : TICKS_IN_DOLLAR - tick, change)
}

function bookOf(quality: RowQuality, market: string, id: string) {
  const key = `${market} ${id}`
  let known = counts.get(quality)
  if (known === undefined || (known.size === BOOKS_MAX && !known.has(key))) {
    if (known !== undefined) quality.forgetBooks()
    known = new Set()
    counts.set(quality, known)
  }
  known.add(key)
  return quality.bookOf(market, id)
}

const sideOf = (levels: { tick: number; size: number }[], isComplement: boolean): Side => ({
  ticks: levels.map(({ tick }) => (isComplement ? TICKS_IN_DOLLAR - tick : tick)),
  sizes: levels.map(({ size }) => size),
})

const levelOf = (level: unknown) =>
  isObject(level) ? { tick: tickOf(level['price']), size: Number(level['size']) } : { tick: Number.NaN, size: 0 }

const tickOf = (price: unknown): number => Math.round(Number(price) * TICKS_IN_DOLLAR)

/** Whole cents under a key without `dollars`. */
const kalshiTick = (key: string, price: unknown): number =>
  key.includes('dollars') || String(price).includes('.') ? tickOf(price) : Number(price) * CENT_TICKS

/** Whole millionths of a contract: sums of doubles would leave a little behind. */
const sizeOf = (size: unknown): number => Math.round(Number(size) * 1_000_000)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
