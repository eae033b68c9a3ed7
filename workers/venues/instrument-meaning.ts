// Defines how Nautilus, and programs that read Nautilus catalogs, name and describe a venue's markets.

import type { JsonObject, Outcome } from '../../storage/finding/metadata.ts'

export type InstrumentMeaning = {
  /** Returns the id of a book's instrument. */
  id(market: string, book: string): string
  /** Returns the currency of a market whose last stored date is `date`. */
  currencyOn(date: string): string
  /** The fields of a market's metadata that state when the market opens and closes. */
  opens: string
  closes: string
  /** Returns the name of the book's outcome; null if it is unknown. */
  outcomeOf(book: string, outcomes: readonly Outcome[]): string | null
  /** Returns further properties of the instrument. Leaves out values that are undefined or null. */
  info(of: { market: string; book: string; event: string | undefined }, metadata: JsonObject): JsonObject
}
