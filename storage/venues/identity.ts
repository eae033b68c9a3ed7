// Defines how messages, stored keys and answers name the markets and books of a venue.

export type Identity = {
  /** The venue's name in texts that people read, and in names of schemas. */
  label: string
  /** Whether a market has a book for each outcome token, `asset_id`. Otherwise the market is its only book. */
  hasAssets: boolean
  /** The name of the field that has a market's id in answers. */
  idField: string
  /** The name of the field that has a book's id in records and answers. No other venue has the same name. */
  bookField: string
  /** Whether records have the `sid` and `seq` of the venue's connection. */
  hasSequence: boolean
  /** Whether a text of a message is the id of a market, in any spelling. */
  isMarket: (id: string) => boolean
  /** Returns the stored spelling of a market's id. */
  canonical: (id: string) => string
  /** Returns the stored spelling of an event's id. */
  canonicalEvent: (id: string) => string
}
