// Reads saved books of the venues' REST APIs: unchanged bodies of Polymarket's GET /book, which carry the venue's hash,
// and bodies of Kalshi's GET /markets/{ticker}/orderbook. Kalshi's bodies have neither ticker nor receipt time, so the
// file has both next to each body.

import { isObject } from '../../venues/described-message.ts'
import { frameArchive, linesOf } from '../frames/frame-archive.ts'
import { refused } from '../trades/trade-values.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export const restBooks = frameArchive(
  {
    name: 'rest-books',
    description: "bodies of both venues' REST books (JSON lines)",
    source: 'rest-books',
    attribution: null,
  },
  linesOf(withTicker),
)

/** Adds the ticker and receipt time to a body of Kalshi, or to each book in a body of GET /markets/orderbooks.
 *  Returns other lines unchanged. */
function withTicker(line: Uint8Array): Uint8Array {
  const value = refused(() => JSON.parse(decoder.decode(line)) as unknown)
  if (!isObject(value) || !isObject(value['body'])) return line.slice()
  const { ticker, received_at: received, body } = value
  const books = body['orderbooks']
  const isBatch = ticker === undefined && Array.isArray(books) && books.every(hasTicker)
  if (!isBatch && typeof ticker !== 'string') return line.slice()
  const messages = isBatch ? books.map(({ ticker: name, ...book }) => named(name, book)) : named(ticker, body)
  return encoder.encode(JSON.stringify(received == null ? messages : { received_at: received, msg: messages }))
}

const named = (ticker: unknown, msg: object) => ({ type: 'orderbook', ticker, msg })
const hasTicker = (book: unknown) => isObject(book) && typeof book['ticker'] === 'string'
