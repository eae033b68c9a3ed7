// The API's description of a venue: its parameters, the words of its documentation, and examples from the demo's day.

export type ApiVenue = {
  /** The query parameter that names a market, and the query parameter that lists several books. */
  idParameter: string
  listParameter: string
  id: ApiId
  prefix: ApiId
  /** The parameter that lists books: what it accepts, and its description. */
  list: { accepts: string; description: string }
  /** Words for the texts of parameters that cover several venues. `idWord` names the id that follows `venue:` in
   *  `markets`; `eventWord` names an event. */
  idWord: string
  eventWord: string
  /** Returns an id in its stored spelling. The id must match the pattern of `id`. */
  normalizeId: (given: string) => string
  normalizePrefix: (given: string) => string
  /** The first date for which raw data is available; null for no limit. */
  rawFromDate: string | null
  /** Whether the data endpoints are also available without the venue's path segment. */
  hasRootPaths: boolean
  /** Description of the venue's group of endpoints. */
  about: string
  words: { market: string; book: string; price: string; side: string; tradeId: string }
  examples: ApiExamples
  incidents: readonly Incident[]
}

/** `pattern` is the source of a regular expression for one id, without ^ and $. */
export type ApiId = { pattern: string; accepts: string; description: string; example?: string }

export type ApiExamples = { market: string; book: string; tradeId: string }

/** A range of dates, both inclusive, in which the archives of a venue are known to be incomplete. It is reported even
 *  if the stored data has no gap. */
export type Incident = { name: string; from: string; to: string; note: string }
