// The differences between venues in the page.

/** The names by which a venue knows a market. */
export type Named = { slug: string | null; event: { id: string } | null }

export type ShownVenue = {
  label: string
  /** The host of the venue's pages. */
  site: string
  /** The path of a market's page on `site`; null if it is not known. */
  pathOf: (market: Named) => string | null
  /** The names of the API's parameters for a market, and for a list of books. */
  idParameter: string
  listParameter: string
  /** Whether a market has a book for each outcome. Otherwise a market has one book, which Yes and No share. */
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
