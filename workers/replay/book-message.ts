// Prints a book at an instant as the message that its venue would send to a new subscriber.

import type { Store } from '../../storage/open-store.ts'
import { MICROS, utcDate } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { hasRecord } from '../book/book-mark.ts'
import { releaseBook } from '../book/book-pool.ts'
import { decodeBooks, UNSEEN_BOOKS } from '../book/book-state.ts'
import { ASK, BID, type Side } from '../book/ladder.ts'
import { Days, type FoundBook, findBook, type Instant } from '../instant/book-at.ts'
import { verifyBook } from '../instant/verify-book.ts'
import { hashedTradePrice } from '../venues/polymarket/hash-recipe.ts'
import { KALSHI_PRICE, KALSHI_SIZE, POLYMARKET, printedMicros } from './forms/printed-amounts.ts'

export type BookMessageRequest = { venue: Venue; market: string; book: string; at: Instant }

/** Returns the message; null if the book is unknown, because it has no record yet or was lost in a gap. Rejects with
 *  DataError('block_corrupt'). */
export async function bookMessage(store: Store, request: BookMessageRequest): Promise<string | null> {
  if ((await store.catalogue.market(request.venue, request.market)) === undefined) return null
  return findBook(store, request, async (found) => {
    return messageOf(request, found)
  })
}

/** Returns the messages of the known books in the state at a block, where another source is shown from. Rejects with
 *  DataError('block_corrupt'). */
export async function bookMessages(
  store: Store,
  of: Pick<BookMessageRequest, 'venue' | 'market'>,
  state: Uint8Array,
): Promise<{ id: string; text: string }[]> {
  const days = new Days(store, of)
  const messages: { id: string; text: string }[] = []
  for (const { id, book, mark } of decodeBooks(state)) {
    const text = id === UNSEEN_BOOKS ? null : await messageOf({ ...of, book: id }, { book, mark, days })
    if (text !== null) messages.push({ id, text })
    releaseBook(book)
  }
  return messages
}

type BookRef = Omit<BookMessageRequest, 'at'>

async function messageOf(of: BookRef, found: FoundBook): Promise<string | null> {
  if (found.mark.last === null || found.book.trust === 'lost') return null
  const message = of.venue === 'kalshi' ? kalshiSnapshot : polymarketBook
  return JSON.stringify(await message(of, found))
}

/** Kalshi leaves out an empty side. Levels are bids for YES and for NO, best last. */
async function kalshiSnapshot({ market }: BookRef, found: FoundBook): Promise<object> {
  const sides = [
    ['yes_dollars_fp', BID],
    ['no_dollars_fp', ASK],
  ] as const
  const levels = sides.map(([key, side]) => [key, heightsOf(found, side).map(fixedLevel)] as const)
  return {
    market_ticker: market,
    // Clients take a book without a `market_id` for one of a market that does not exist.
    market_id: (await lastText(found, 'market_id')) ?? market,
    ...Object.fromEntries(levels.filter(([, each]) => each.length > 0)),
  }
}

/** Prints a book as the venue sends it to a new subscriber: its time is that of the last change, bids ascend and asks
 *  descend. */
async function polymarketBook(request: BookRef, found: FoundBook): Promise<object> {
  const { market, book: asset } = request
  const { mark } = found
  const { last, change, tickSize } = mark
  const level = (isAsk: boolean) => (entry: [height: number, size: number]) => ({
    price: trimmed(isAsk ? MICROS - entry[0] : entry[0]),
    size: trimmed(entry[1]),
  })
  return {
    market,
    asset_id: asset,
    timestamp: (await lastText(found, 'timestamp')) ?? String((change ?? last)!.timeMs),
    hash: await verifiedHash(asset, found),
    bids: heightsOf(found, BID).map(level(false)),
    asks: heightsOf(found, ASK).map(level(true)),
    ...(tickSize === null ? {} : { tick_size: trimmed(tickSize.micros) }),
    event_type: 'book',
    last_trade_price: await lastTradePrice(found),
  }
}

/** Returns the hash that the venue sent with the last change, if it is verified as the hash of this book; else the
 *  empty text. Inside a batch it cannot be verified, because the hash is that of the book after the batch. */
async function verifiedHash(id: string, found: FoundBook): Promise<string> {
  const { book, mark, days } = found
  if (!hasRecord(mark.change)) return ''
  const isVerified = await verifyBook({ id, book, mark }, mark.change, await days.at(utcDate(mark.change.timeMs)))
  return (isVerified ? await lastText(found, 'hash') : undefined) ?? ''
}

/** Returns a text of the record that last changed the book. */
async function lastText({ mark: { change }, days }: FoundBook, key: string): Promise<string | undefined> {
  return hasRecord(change) ? textAt(days, change, key) : undefined
}

async function lastTradePrice({ mark: { trade }, days }: FoundBook): Promise<string> {
  const price = trade === null ? undefined : await textAt(days, trade, 'price')
  return price === undefined ? '' : hashedTradePrice(price)
}

async function textAt(
  days: FoundBook['days'],
  place: { timeMs: number; record: number },
  key: string,
): Promise<string | undefined> {
  const day = await days.at(utcDate(place.timeMs))
  const { fields, firstRecord } = await day.block(day.indexOf(place.record))
  return fields.text(place.record - firstRecord, key, true)
}

/** Returns the levels ascending. The height of an ask is its distance from one dollar, which is the price of the bid
 *  for NO. */
const heightsOf = ({ book }: FoundBook, side: Side) => book.levels(side).reverse()

const fixedLevel = ([price, size]: [number, number]): [string, string] => [
  printedMicros(price, KALSHI_PRICE),
  printedMicros(size, KALSHI_SIZE),
]

const trimmed = (micros: number): string => printedMicros(micros, POLYMARKET)
