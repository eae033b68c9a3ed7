// The table of all differences between the two venues in requests and answers, and the parameters that requests share.
// All other code of an endpoint is the same for both venues.

import assert from 'node:assert/strict'
import type { TSchema, TUnsafe } from '@sinclair/typebox'
import { t } from 'elysia'
import type { Venue } from '../../../storage/venue.ts'
import { TRUSTS } from '../../../workers/trust/trust-steps.ts'
import { moment } from './moment.ts'
import { eitherOf, listOf, oneOf, type Parameter, patternText, utcDay, wholeNumber } from './parameter.ts'

export type VenueParameters = {
  venue: Venue
  /** The query parameter of a market id, and its name in answers. */
  idParameter: 'condition_id' | 'ticker'
  idField: 'market_condition_id' | 'market_ticker'
  /** The name of a book in answers; on Kalshi each market has one book. */
  bookField: 'asset_id' | 'ticker'
  hasAssets: boolean
  id: Parameter
  prefix: Parameter
  normalizeId: (given: string) => string
  normalizePrefix: (given: string) => string
  /** The first date for which raw data is available; null for no limit. */
  rawFromDate: string | null
}

const POLYMARKET: VenueParameters = {
  venue: 'polymarket',
  idParameter: 'condition_id',
  idField: 'market_condition_id',
  bookField: 'asset_id',
  hasAssets: true,
  id: patternText(/^(?:0[xX])?[0-9a-fA-F]{64}$/, '64 hexadecimal digits, with or without 0x', {
    description: 'The condition id of the market',
    example: '0x2f76fb52ee6a1cff1c2c8d816dbe6c26c074f0a0deb07f19631f265ce2b8cea8',
  }),
  prefix: patternText(/^(?:0[xX])?[0-9a-fA-F]{0,64}$/, 'up to 64 hexadecimal digits, with or without 0x', {
    description: 'Only markets whose id begins with this; all if empty',
  }),
  normalizeId: (given) => `0x${given.replace(/^0x/i, '').toLowerCase()}`,
  normalizePrefix: (given) => `0x${given.replace(/^0x/i, '').toLowerCase()}`,
  rawFromDate: '2026-02-08',
}

const TICKER_ALPHABET = 'letters, digits, "-", "." and "_"'
const KALSHI: VenueParameters = {
  venue: 'kalshi',
  idParameter: 'ticker',
  idField: 'market_ticker',
  bookField: 'ticker',
  hasAssets: false,
  id: patternText(/^[A-Za-z0-9._-]{1,128}$/, `1 to 128 characters of ${TICKER_ALPHABET}`, {
    description: 'The ticker of the market, in any case',
    example: 'KXDEMODAY-26JUL20-T50',
  }),
  prefix: patternText(/^[A-Za-z0-9._-]{0,128}$/, `up to 128 characters of ${TICKER_ALPHABET}`, {
    description: 'Only markets whose ticker begins with this; all if empty',
  }),
  normalizeId: (given) => given.toUpperCase(),
  normalizePrefix: (given) => given.toUpperCase(),
  rawFromDate: null,
}

/** The path prefix of each venue's endpoints. */
export const MOUNTS = [
  { path: '/polymarket', parameters: POLYMARKET },
  { path: '/kalshi', parameters: KALSHI },
] as const

/** The data endpoints of Polymarket are also available without the venue's path segment. */
export const DATA_MOUNTS = [...MOUNTS, { path: '', parameters: POLYMARKET }] as const

export const RAW_LIMIT = { default: 10_000, max: 100_000 }
export const LIST_LIMIT = { default: 100, max: 1_000 }
export const RESOLUTION_SECONDS = { default: 60, max: 3_600 }
export const FILLS = ['observed', 'none', 'range'] as const

export const ASSET_ID = patternText(/^[0-9]{1,78}$/, 'up to 78 decimal digits', {
  description: 'One outcome token of the market: market/coverage and lookup/slug list them',
  example: '101053254188447319522872887442983442373618745320910596389983414742954565898320',
})
/** The example is for endpoints that require a bound. If a bound is one of two ways, the documentation page would fill
 *  in both. */
export const bound = (which: 'Lower' | 'Upper', words: { example?: number } = {}): Parameter =>
  moment(`${which} bound, inclusive${which === 'Upper' ? '; a date or a second counts as a whole' : ''}`, words)

/** Parameters with the same name and meaning in all endpoints. */
export const SHARED_PARAMETERS = {
  asset_id: ASSET_ID,
  date: utcDay({ description: 'A UTC day', example: '2026-07-20' }),
  start_timestamp: bound('Lower'),
  end_timestamp: bound('Upper'),
  resolution: wholeNumber(
    { min: 1, max: RESOLUTION_SECONDS.max },
    { unlessGiven: RESOLUTION_SECONDS.default, description: 'Length of a bucket, s' },
  ),
  fill: oneOf(FILLS, {
    unlessGiven: 'observed',
    description: 'Which buckets without a quote to return: those while the book is known, none, or all to the end',
  }),
  trust: listOf(
    { entry: `(?:${TRUSTS.join('|')})`, accepts: eitherOf(TRUSTS), plural: 'trusts', max: TRUSTS.length },
    { description: 'Only rows in which the trust of the book is one of these; all by default' },
  ),
  source: patternText(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'own, or the name of an archive as market/coverage has it', {
    description: 'Only one source: own (your own recordings), or an archive by its name',
  }),
  offset: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }, { unlessGiven: 0, description: 'Entries to skip' }),
  limit: wholeNumber(
    { min: 1, max: RAW_LIMIT.max },
    { unlessGiven: RAW_LIMIT.default, description: 'Records in a page, at most' },
  ),
  cursor: patternText(/^[A-Za-z0-9_-]{1,512}$/, 'the next_cursor of the page before', {
    description: 'Where the page begins; the beginning by default',
  }),
}

export type ParameterName = 'market' | 'prefix' | keyof typeof SHARED_PARAMETERS

/** The parameters that an endpoint takes. `own` defines those that no other endpoint has, and those that replace the
 *  shared one of the same name. */
export type ParameterNames<Own extends string = never> = {
  required: readonly (ParameterName | Own)[]
  optional: readonly (ParameterName | Own)[]
  own?: Readonly<Partial<Record<ParameterName | Own, Parameter>>>
}

/** The values of a validated query by name; the market is in `condition_id` or `ticker`. */
export type QueryText<Own extends string = never> = {
  [name in 'condition_id' | 'ticker' | 'prefix' | keyof typeof SHARED_PARAMETERS | Own]?: string
}

/** Returns the schema of a query at one venue. Unknown names are refused. A missing token is reported by the endpoint,
 *  which knows the market's tokens. */
export function querySchema(
  parameters: VenueParameters,
  { required, optional, own = {} }: ParameterNames<string>,
): TUnsafe<QueryText> {
  const usual: Readonly<Record<string, Parameter>> = {
    ...SHARED_PARAMETERS,
    market: parameters.id,
    prefix: parameters.prefix,
  }
  const schemaOf = (name: string): Parameter => {
    const schema = own[name] ?? usual[name]
    assert(schema !== undefined, `no parameter is declared as ${name}`)
    return schema
  }
  const keyOf = (name: string) => (name === 'market' ? parameters.idParameter : name)
  const properties: Record<string, TSchema> = {}
  for (const name of required) {
    const schema = schemaOf(name)
    properties[keyOf(name)] = name === 'asset_id' ? t.Optional(t.Unsafe({ ...schema, isMissedLater: true })) : schema
  }
  for (const name of optional) properties[keyOf(name)] = t.Optional(schemaOf(name))
  return t.Object(properties, { additionalProperties: false }) as unknown as TUnsafe<QueryText>
}

/** Returns the normalized market of a validated query. */
export function marketOf({ idParameter, normalizeId }: VenueParameters, query: QueryText): string {
  return normalizeId(query[idParameter] ?? '')
}
