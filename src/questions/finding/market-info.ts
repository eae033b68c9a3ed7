// GET …/market/info: the venue's metadata of a market, and what is stored of it.

import { Type } from '@sinclair/typebox'
import type { Catalogue } from '../../../storage/catalogue.ts'
import type { KnownMarket } from '../../../storage/finding/finding.ts'
import { MEANINGS } from '../../../workers/venues.ts'
import { marketNotStored } from '../../http/parameters/stored-market.ts'
import { marketOf, type VenueParameters } from '../../http/parameters/venue-parameters.ts'
import { amount, named, orNull, text, unixMs } from '../../openapi/field.ts'
import { marketField } from '../market-fields.ts'
import { marketSources, marketSourcesField } from '../provenance.ts'
import type { IndexQuestion } from '../question.ts'
import { cardFields, cardOf, storedFields, storedOf } from './found-market.ts'

export const marketInfo: IndexQuestion = {
  kind: 'index',
  path: '/market/info',
  parameters: () => ({ required: ['market'], optional: [] }),
  about: (venue) => ({
    id: `${venue.venue}MarketInfo`,
    summary: 'Metadata of a market: title, event, outcomes, times, result, rules',
    description: 'From loaded metadata. Unknown fields are null. Does not count as a call.',
    answer: () => ({
      description: 'What is known of the market',
      schema: schema(venue),
    }),
    failures: ['market_not_stored'],
  }),
  async read(catalogue, { parameters, query }) {
    const market = marketOf(parameters, query)
    const known = await catalogue.knownMarket(parameters.venue, market)
    const entry = await catalogue.market(parameters.venue, market)
    if (known === undefined && entry === undefined) {
      throw await marketNotStored(catalogue, parameters, market, query.source)
    }
    const provenance = await catalogue.provenanceStamp()
    const make = async () => ({
      [parameters.idField]: market,
      ...cardOf(known?.card, known?.event ?? null),
      ...factsOf(parameters, known),
      ...storedOf(entry),
      said: known === undefined ? null : { market: known.said, event: known.event?.said?.said ?? null },
      loaded_at: known?.loadedMs ?? null,
      ...(await sourcesOf(catalogue, parameters, market)),
    })
    return { identity: ['info', market, known ?? null, entry ?? null, provenance], make }
  },
}

async function sourcesOf(catalogue: Catalogue, { venue }: VenueParameters, market: string) {
  const sources = await marketSources(catalogue, venue, market)
  return sources.length > 0 && { sources }
}

function factsOf({ venue }: VenueParameters, known: KnownMarket | undefined) {
  const facts = MEANINGS[venue].metadata.facts(known?.said ?? {}, known?.event?.said?.said)
  return {
    open_timestamp: facts.opensMs,
    close_timestamp: facts.closesMs,
    settlement_timestamp: facts.settledMs,
    status: facts.status,
    result: facts.result,
    settlement_value: facts.settlementValue,
    strike: facts.strike,
    strike_kind: facts.strikeKind,
    tick_size: facts.tickSize,
    price_ranges: facts.priceRanges,
    rules: facts.rules,
  }
}

const range = named('PriceRange', 'Prices of one tick size, dollars', {
  start: amount('From this price', 0),
  end: amount('To this price', 1),
  step: amount('In steps of', 0.01),
})

const venueJson = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: "The venue's own JSON",
})

function schema(venue: VenueParameters) {
  return named(`${venue.label}MarketInfo`, 'Metadata of a market, and what is stored of it', {
    ...marketField(venue),
    ...cardFields,
    open_timestamp: orNull(unixMs('When it opened, or will')),
    close_timestamp: orNull(unixMs('When it is to close')),
    settlement_timestamp: orNull(unixMs('When it was settled; on Polymarket, when it was closed')),
    status: orNull(
      text("Kalshi's word; on Polymarket `active`, `inactive`, `archived`, `closed` or `resolved`", 'active'),
    ),
    result: orNull(text('The outcome that won, `split` if several did; null before', 'yes')),
    settlement_value: orNull(
      amount('Dollars that a contract of the first outcome paid; of YES on Kalshi. Null before', 1),
    ),
    strike: orNull(
      amount('The value that decides it, in the unit of what it is about; the lower end of a range', 4128.56),
    ),
    strike_kind: orNull(
      text("Kalshi's word for how the strike decides, such as `greater_or_equal` or `between`", 'greater_or_equal'),
    ),
    tick_size: orNull(amount('Step of prices, dollars; null if it differs by price', 0.01)),
    price_ranges: orNull(Type.Array(range, { description: 'Kalshi: the tick size of each range of prices' })),
    rules: orNull(text('How it is settled', 'Demo: the highest temperature decides.')),
    ...storedFields,
    said: orNull(
      Type.Object(
        { market: venueJson, event: orNull(venueJson) },
        { description: "The venue's JSON of market and event, merged from all that was loaded" },
      ),
    ),
    loaded_at: orNull(unixMs('When the metadata changed last')),
    sources: marketSourcesField,
  })
}
