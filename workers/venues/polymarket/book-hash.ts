// Computes the checksum that Polymarket puts on every book it sends: SHA-1 over the book as compact JSON, in exactly
// this key order. Three recipes are known. The oldest (until about 2025-01) ends with the levels. The second (about
// 2025-10-21 to 2025-11) adds three fields of the market. The present one adds a fourth, the price of the last trade. A
// message does not always have these fields. Source: the official client's generate_orderbook_summary_hash
// (py-clob-client, utilities.py), checked on captures of 2024-12, 2025-10 and 2026-07. The venue does not document that
// the WebSocket uses the same checksum, nor when the recipe changed. So a reader tries all three, and treats a mismatch
// as "not verified", never as "wrong".

/** A level as the venue prints it: price and size as decimals without trailing zeros. */
export type PrintedLevel = readonly [price: string, size: string]

/** A book as the venue sends it: bids ascend and asks descend, so the last level of each side is the best. */
export type PrintedBook = {
  market: string
  assetId: string
  timestamp: string
  bids: readonly PrintedLevel[]
  asks: readonly PrintedLevel[]
}

/** Fields that the later recipes add. `lastTradePrice` is the price of the market's last trade, not the token's, and
 *  has three decimals. It is null in the second recipe, which does not use this price. */
export type BookHashExtra = { minOrderSize: string; tickSize: string; negRisk: boolean; lastTradePrice: string | null }

/** A book with its levels as JSON text, for a caller that caches this text between changes. */
export type WrittenBook = { market: string; assetId: string; timestamp: string; bidsJson: string; asksJson: string }

/** Values of a message that are not levels of its book. `timestamp` is exactly as in the message. */
export type HashedMessage = { market: string; assetId: string; timestamp: string; hash: string }

/** Returns a text of a message by its key. */
export type TextOf = (key: string) => string | undefined

const HASH = /^[0-9a-f]{40}$/

/** Returns the hash of a message; null if it has no hash of 40 digits, no market or no time. */
export function hashedMessage(assetId: string, textOf: TextOf): HashedMessage | null {
  const hash = textOf('hash')
  if (hash === undefined || !HASH.test(hash)) return null
  const [market, timestamp] = [textOf('market'), textOf('timestamp')]
  return market === undefined || timestamp === undefined ? null : { market, assetId, timestamp, hash }
}

type BatchMark = { timestamp?: string | undefined; hash?: string | undefined }

/** Returns whether two messages belong to one batch: the venue sends the changes of a batch with the same time and
 *  hash. */
export const areOneBatch = (one: BatchMark | null | undefined, other: Required<BatchMark>): boolean =>
  one?.timestamp === other.timestamp && one?.hash === other.hash

/** Returns the hash of a book. Uses the oldest recipe if `extra` is undefined. */
export function polymarketBookHash(book: PrintedBook, extra?: BookHashExtra): string {
  return hashOfText(printedText(book), extra)
}

export function writtenBookHash(book: WrittenBook, extra?: BookHashExtra): string {
  return hashOfText(writtenText(book), extra)
}

/** Returns the hashed text up to the end of the levels. */
export const printedText = (book: PrintedBook): string =>
  writtenText({ ...book, bidsJson: levelsJson(book.bids), asksJson: levelsJson(book.asks) })

const writtenText = (book: WrittenBook): string => `${hashedHead(book)}"bids":${book.bidsJson},"asks":${book.asksJson}`

/** Returns the hashed text before the levels. */
export const hashedHead = ({ market, assetId, timestamp }: Pick<WrittenBook, 'market' | 'assetId' | 'timestamp'>) =>
  `{"market":"${market}","asset_id":"${assetId}","timestamp":"${timestamp}","hash":"",`

/** Returns the first item of `extras` with which the hash agrees. Returns null if this item is the oldest recipe, and
 *  undefined if no item agrees. `text` is the hashed text up to the end of the levels; it is hashed only once. */
export function agreeingExtra(
  text: string | Uint8Array,
  hash: string,
  extras: readonly (BookHashExtra | undefined)[],
): BookHashExtra | null | undefined {
  const sha1 = new Bun.CryptoHasher('sha1').update(text)
  const agreeing = extras.findIndex((extra) => sha1.copy().update(endOf(extra)).digest('hex') === hash)
  return agreeing < 0 ? undefined : (extras[agreeing] ?? null)
}

const hashOfText = (text: string, extra: BookHashExtra | undefined): string =>
  new Bun.SHA1().update(text).update(endOf(extra)).digest('hex')

/** Returns the hashed text after the levels. */
function endOf(extra: BookHashExtra | undefined): string {
  if (extra === undefined) return '}'
  const { minOrderSize, tickSize, negRisk, lastTradePrice } = extra
  const market = `"min_order_size":"${minOrderSize}","tick_size":"${tickSize}","neg_risk":${negRisk}`
  return lastTradePrice === null ? `,${market}}` : `,${market},"last_trade_price":"${lastTradePrice}"}`
}

function levelsJson(levels: readonly PrintedLevel[]): string {
  let text = '['
  for (const [price, size] of levels) text += `${text === '[' ? '' : ','}{"price":"${price}","size":"${size}"}`
  return `${text}]`
}
