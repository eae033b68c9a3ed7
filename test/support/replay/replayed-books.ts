// A slow and simple client of a replay in the protocol of a venue. Builds the books from the messages.

import { RECORD_KINDS } from '../../../storage/format/shape.ts'
import { framesIn, RecordFrame, WHOLE } from '../../../workers/replay/record-frames.ts'
import { type ReplayPageRequest, replayPage } from '../../../workers/replay/replay-page.ts'
import type { Position } from '../../../workers/requests.ts'
import type { AnyStore } from '../store.ts'

type Json = Record<string, unknown>
/** Size by price, both in millionths. */
type Levels = Map<number, number>
export type ReplayedBook = { bid: Levels; ask: Levels }
type Books = Map<string, ReplayedBook | null>

const micros = (text: unknown): number => Math.round(Number(text) * 1e6)

/** Returns each book, by id, after all messages of a market up to a time. Null for a book whose last message is a gap
 *  or follows one: a replay disconnects the client there. */
export async function replayedBooks(
  { store }: AnyStore,
  of: Pick<ReplayPageRequest, 'venue' | 'market' | 'toMs' | 'limit'>,
): Promise<Books> {
  const books: Books = new Map()
  let after: Position | null = null
  do {
    const request = { ...of, fromMs: 0, after, text: 'socket' } as const
    const { head, frames }: Awaited<ReturnType<typeof replayPage>> = await replayPage(store, request)
    for (const packed of framesIn(Buffer.concat(frames))) {
      const frame = new RecordFrame(packed)
      for (let i = 0; i < frame.count; i++) {
        const kind = RECORD_KINDS[frame.kinds[i]! & ~WHOLE]!
        const id = frame.books[i] === 0 ? null : head.books[frame.books[i]! - 1]!
        apply(books, kind, id, JSON.parse(frame.text(i)) as Json)
      }
    }
    after = head.next
  } while (after !== null)
  return books
}

function apply(books: Books, kind: string, id: string | null, message: Json): void {
  if (kind === 'gap') for (const each of id === null ? [...books.keys()] : [id]) books.set(each, null)
  if (id === null) return
  if (kind === 'snapshot') books.set(id, wholeBook(message))
  const book = books.get(id)
  if (kind !== 'delta' || !book) return
  if (Array.isArray(message['price_changes'])) {
    for (const { asset_id: token, price, size, side } of message['price_changes'] as Json[])
      if (token === id) setLevel(side === 'BUY' ? book.bid : book.ask, micros(price), micros(size))
    return
  }
  const [price, delta] = [micros(message['price_dollars']), micros(message['delta_fp'])]
  if (message['side'] === 'yes') setLevel(book.bid, price, (book.bid.get(price) ?? 0) + delta)
  else setLevel(book.ask, 1e6 - price, (book.ask.get(1e6 - price) ?? 0) + delta)
}

function setLevel(levels: Levels, price: number, size: number): void {
  if (size > 0) levels.set(price, size)
  else levels.delete(price)
}

function wholeBook(message: Json): ReplayedBook {
  const levels = (side: unknown, priceOf: (price: number) => number): Levels =>
    new Map(
      ((side ?? []) as (Json | [string, string])[]).map((level) => {
        const [price, size] = Array.isArray(level) ? level : [level['price'], level['size']]
        return [priceOf(micros(price)), micros(size)]
      }),
    )
  const same = (price: number) => price
  if ('asset_id' in message) return { bid: levels(message['bids'], same), ask: levels(message['asks'], same) }
  return {
    bid: levels(message['yes_dollars_fp'], same),
    ask: levels(message['no_dollars_fp'], (price) => 1e6 - price),
  }
}
