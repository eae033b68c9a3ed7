// Checks that the market and the outcome token that a request names are stored.

import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { eitherOf, mustBe, requiredAs } from '../http/parameters/parameter.ts'
import { assertStored } from '../http/parameters/stored-market.ts'
import { ASSET_ID, type ParameterNames, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import type { ParsedQuery } from './question.ts'

/** Limit of cached tokens; a token that a market once had is not looked up again. */
const KNOWN_MAX = 100_000

export const assetIdsIn = (days: readonly { head: PartitionHead }[]): string[] =>
  [...new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))].sort()

type Stored = Pick<Catalogue, 'market' | 'markets' | 'heads'>

const ofCatalogues = new WeakMap<Stored, StoredAssets>()

/** Throws if the market is not stored, or has no such token. `names` are the parameters of the endpoint. */
export async function assertAnswerable(
  catalogue: Stored,
  names: ParameterNames<string>,
  { parameters, query }: Pick<ParsedQuery, 'parameters' | 'query'>,
  market: string,
): Promise<void> {
  await assertStored(catalogue, parameters, market, query.source)
  if (query.asset_id === undefined && !names.required.includes('asset_id')) return
  const assets = ofCatalogues.get(catalogue) ?? new StoredAssets(catalogue)
  ofCatalogues.set(catalogue, assets)
  await assets.assertStored(parameters, market, query.asset_id)
}

class StoredAssets {
  readonly #catalogue: Stored
  readonly #known = new LRUCache<string, true>({ maxSize: KNOWN_MAX, sizeCalculation: () => 1 })

  constructor(catalogue: Stored) {
    this.#catalogue = catalogue
  }

  /** Throws RequestFailure, which lists the market's tokens: 400 if no token was given, 404 if the market does not have
   *  it. */
  async assertStored({ venue }: VenueParameters, market: string, given: string | undefined): Promise<void> {
    const key = `${market} ${given}`
    if (given !== undefined && this.#known.has(key)) return
    const assets = await this.#assetsOf(venue, market, given)
    if (given === undefined) {
      const accepts = assets.length === 0 ? ASSET_ID.accepts : oneOfThe(assets)
      throw parametersInvalid([{ field: 'asset_id', message: requiredAs(accepts) }])
    }
    if (assets.includes(given)) this.#known.set(key, true)
    else if (assets.length > 0) {
      throw parametersInvalid([{ field: 'asset_id', message: mustBe(oneOfThe(assets), given) }], 'asset_not_stored')
    }
  }

  /** Reads the last date first, which nearly always has all tokens. */
  async #assetsOf(venue: VenueParameters['venue'], market: string, given: string | undefined): Promise<string[]> {
    const entry = await this.#catalogue.market(venue, market)
    const last = entry && { from: entry.lastDate, to: entry.lastDate }
    const ofLast = assetIdsIn(await this.#catalogue.heads(venue, market, last))
    if (given !== undefined && ofLast.includes(given)) return ofLast
    return assetIdsIn(await this.#catalogue.heads(venue, market))
  }
}

const oneOfThe = (assets: readonly string[]) => `a token of the market, ${eitherOf(assets)}`
