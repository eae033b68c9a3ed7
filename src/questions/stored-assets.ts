// Checks that the market and the outcome token that a request names are stored.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Venue } from '../../storage/venue.ts'
import { eitherOf, mustBe, requiredAs } from '../http/parameters/parameter.ts'
import { assertStored } from '../http/parameters/stored-market.ts'
import { ASSET_ID, type ParameterNames } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import type { ParsedQuery } from './question.ts'

export const assetIdsIn = (days: readonly { head: PartitionHead }[]): string[] =>
  [...new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))].sort()

type Stored = Pick<Catalogue, 'market' | 'markets' | 'heads'>

/** Throws if the market is not stored, or has no such token: 400 if the token is required and not given, 404 if the
 *  market does not have it. `names` are the parameters of the endpoint. */
export async function assertAnswerable(
  catalogue: Stored,
  names: ParameterNames<string>,
  { parameters, query }: Pick<ParsedQuery, 'parameters' | 'query'>,
  market: string,
): Promise<void> {
  await assertStored(catalogue, parameters, market, query.source)
  const given = query.asset_id
  if (given === undefined && !names.required.includes('asset_id')) return
  const assets = await assetsOf(catalogue, parameters.venue, market, given)
  if (given === undefined) {
    const accepts = assets.length === 0 ? ASSET_ID.accepts : oneOfThe(assets)
    throw parametersInvalid([{ field: 'asset_id', message: requiredAs(accepts) }])
  }
  if (assets.includes(given) || assets.length === 0) return
  throw parametersInvalid([{ field: 'asset_id', message: mustBe(oneOfThe(assets), given) }], 'asset_not_stored')
}

/** Reads the last date first, which nearly always has all tokens. */
async function assetsOf(catalogue: Stored, venue: Venue, market: string, given: string | undefined): Promise<string[]> {
  const entry = await catalogue.market(venue, market)
  const last = entry && { from: entry.lastDate, to: entry.lastDate }
  const ofLast = assetIdsIn(await catalogue.heads(venue, market, last))
  if (given !== undefined && ofLast.includes(given)) return ofLast
  return assetIdsIn(await catalogue.heads(venue, market))
}

const oneOfThe = (assets: readonly string[]) => `a token of the market, ${eitherOf(assets)}`
