// What differs between venues in the page.

/** What a market is known by at its venue. */
export type Named = { slug: string | null; event: { id: string } | null }

export type ShownVenue = {
  label: string
  /** The host of the venue's pages. */
  site: string
  /** The path of a market's page there; null if it is not known. */
  pathOf: (market: Named) => string | null
  /** The API's parameters of a market, and of a list of books. */
  idParameter: string
  listParameter: string
  /** Whether a market has a book for each outcome. Otherwise it has one, which Yes and No share. */
  hasAssets: boolean
  /** Whether days have counts of the venue's hashes and best prices. */
  hasHashes: boolean
  /** The first date for which the API has raw records; null for no limit. */
  rawFromDate: string | null
  /** Returns the stored spelling of a market's id. */
  canonical: (market: string) => string
}

/** Joins the parts of a path. */
export const path = (...parts: string[]): string => parts.map((part) => encodeURIComponent(part)).join('/')
