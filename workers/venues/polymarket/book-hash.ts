// The checksum Polymarket puts on every book it sends: SHA-1 over the book as compact JSON, in exactly this key order.
// Two recipes exist. The older one (till about 2025-01) ends with the levels; the present one adds four fields of the
// market, which the message itself does not always carry. Source: the official client's
// generate_orderbook_summary_hash (py-clob-client, utilities.py), checked on captures of 2024-12 and 2026-07; that it
// holds on the WebSocket too is not documented. When the venue changed is not known, so a reader should try both, and
// take a mismatch as "not verified", never as "wrong".

/** A level as the venue prints it: price and size in decimals without trailing zeros. */
export type PrintedLevel = readonly [price: string, size: string]

/** Bids ascend and asks descend, as on the wire: the best level is the last of both. */
export type PrintedBook = {
  market: string
  assetId: string
  timestamp: string
  bids: readonly PrintedLevel[]
  asks: readonly PrintedLevel[]
}

/** What the present recipe adds. `lastTradePrice` belongs to the market, not to the token, and has three decimals. */
export type BookHashExtra = { minOrderSize: string; tickSize: string; negRisk: boolean; lastTradePrice: string }

/** The same book with its levels already written out, for who keeps that text from one change to the next. */
export type WrittenBook = { market: string; assetId: string; timestamp: string; bidsJson: string; asksJson: string }

/** Without `extra` the older recipe is used. */
export function polymarketBookHash(book: PrintedBook, extra?: BookHashExtra): string {
  return writtenBookHash({ ...book, bidsJson: levelsJson(book.bids), asksJson: levelsJson(book.asks) }, extra)
}

export function writtenBookHash(book: WrittenBook, extra?: BookHashExtra): string {
  let text = `{"market":"${book.market}","asset_id":"${book.assetId}","timestamp":"${book.timestamp}","hash":""`
  text += `,"bids":${book.bidsJson},"asks":${book.asksJson}`
  if (extra !== undefined) {
    text += `,"min_order_size":"${extra.minOrderSize}","tick_size":"${extra.tickSize}"`
    text += `,"neg_risk":${extra.negRisk},"last_trade_price":"${extra.lastTradePrice}"`
  }
  return Bun.SHA1.hash(`${text}}`, 'hex')
}

function levelsJson(levels: readonly PrintedLevel[]): string {
  let text = '['
  for (const [price, size] of levels) text += `${text === '[' ? '' : ','}{"price":"${price}","size":"${size}"}`
  return `${text}]`
}
