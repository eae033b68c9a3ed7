// The request parameters of each venue, and the parameters that all venues share. The rest of an endpoint's code is
// the same for all venues.

import assert from 'node:assert/strict'
import type { TSchema, TUnsafe } from '@sinclair/typebox'
import { t } from 'elysia'
import { byVenue, IDENTITIES, VENUES, type Venue } from '../../../storage/venue.ts'
import type { Identity } from '../../../storage/venues/identity.ts'
import { TRUSTS } from '../../../workers/trust/trust-steps.ts'
import type { ApiId } from '../../venues/api-venue.ts'
import { API_VENUES, type IdParameter } from '../../venues.ts'
import { moment } from './moment.ts'
import { eitherOf, listOf, oneOf, type Parameter, patternText, utcDay, wholeNumber } from './parameter.ts'

/** A venue's names and API texts. Its market id (`id`) and the prefix of an id (`prefix`) are request parameters. */
export type VenueParameters = Identity &
  Omit<(typeof API_VENUES)[Venue], 'id' | 'prefix'> & { venue: Venue; id: Parameter; prefix: Parameter }

const parametersOf = (venue: Venue): VenueParameters => {
  const { id, prefix, ...words } = API_VENUES[venue]
  const parameter = ({ pattern, accepts, ...about }: ApiId) => patternText(new RegExp(`^${pattern}$`), accepts, about)
  return { venue, ...IDENTITIES[venue], ...words, id: parameter(id), prefix: parameter(prefix) }
}

export const PARAMETERS = byVenue(parametersOf)

/** The path prefix of each venue's endpoints. */
export const MOUNTS = VENUES.map((venue) => ({ path: `/${venue}`, parameters: PARAMETERS[venue] }))

/** The mounts of data endpoints, some of which are also available without the venue's path segment. */
export const DATA_MOUNTS = [
  ...MOUNTS,
  ...MOUNTS.filter(({ parameters }) => parameters.hasRootPaths).map((mount) => ({ ...mount, path: '' })),
]

export const RAW_LIMIT = { default: 10_000, max: 100_000 }
export const LIST_LIMIT = { default: 100, max: 1_000 }
export const RESOLUTION_SECONDS = { default: 60, max: 3_600 }
export const FILLS = ['observed', 'none', 'range'] as const

export const ASSET_ID = patternText(/^[0-9]{1,78}$/, 'up to 78 decimal digits', {
  description: 'One outcome token of the market: market/coverage and lookup/slug list them',
  example: '101053254188447319522872887442983442373618745320910596389983414742954565898320',
})
/** Give `example` only for endpoints that require a bound. Elsewhere a date may replace the bounds, and the
 *  documentation page would fill in both the date and the bounds. */
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

/** The parameters that an endpoint takes. `own` defines the endpoint's own parameters; they replace shared parameters
 *  of the same name. */
export type ParameterNames<Own extends string = never> = {
  required: readonly (ParameterName | Own)[]
  optional: readonly (ParameterName | Own)[]
  own?: Readonly<Partial<Record<ParameterName | Own, Parameter>>>
}

/** The values of a validated query by name; the market is in the venue's `idParameter`. */
export type QueryText<Own extends string = never> = {
  [name in IdParameter | 'prefix' | keyof typeof SHARED_PARAMETERS | Own]?: string
}

/** Returns the schema of a query at one venue. Unknown names are refused. The endpoint reports a missing `asset_id`,
 *  since it knows the market's tokens. */
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
