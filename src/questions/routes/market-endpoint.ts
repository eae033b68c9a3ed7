// The route of every question, and what follows from the route alone: the venue, whether a key is needed, and whether
// answers count against the plan.

import { DATA_MOUNTS, MOUNTS, type VenueParameters } from '../../http/parameters/venue-parameters.ts'
import { pathPattern } from '../../http/server/route-table.ts'
import type { Question } from '../question.ts'
import { QUESTIONS } from './registry.ts'

export type MarketEndpoint = Readonly<{
  /** The route without the common prefix of all paths. */
  route: string
  question: Question
  parameters: VenueParameters
  /** True for the path without the venue, if the endpoint also has a path with its venue. */
  isAlias: boolean
  isBillable: boolean
  isOfAllVenues: boolean
}>

const OF_ALL = MOUNTS.slice(0, 1).map((mount) => ({ ...mount, path: '' }))

export const ENDPOINTS: readonly MarketEndpoint[] = QUESTIONS.flatMap((question) => {
  const { path, isBillable = false, isOfAllVenues = false, hasAlias = false } = question
  const mounts = isOfAllVenues ? OF_ALL : hasAlias ? DATA_MOUNTS : MOUNTS
  return mounts.map(({ path: mount, parameters }) => {
    const isAlias = mount === '' && !isOfAllVenues
    return { route: `${mount}${path}`, question, parameters, isAlias, isBillable, isOfAllVenues }
  })
})

const byRoute = new Map(
  ['', '/api/v1'].flatMap((prefix) => ENDPOINTS.map((endpoint) => [`${prefix}${endpoint.route}`, endpoint] as const)),
)

/** Returns the endpoint of a registered route. Throws if there is none. */
export function marketEndpoint(route: string): MarketEndpoint {
  const endpoint = byRoute.get(route)
  if (endpoint === undefined) throw new Error(`${route} is not the route of a question`)
  return endpoint
}

const streamed = new Set(
  ENDPOINTS.filter(({ question }) => question.kind !== 'index').map(({ route }) => route.replace(/:(\w+)/g, '{$1}')),
)

/** True if a route, as metrics name it, has large bodies. */
export const isStreamed = (route: string): boolean => streamed.has(route)

const patterns = [...byRoute.keys()].map(pathPattern)

/** True if there is an endpoint at a path. */
export const isDataPath = (pathname: string): boolean => patterns.some((pattern) => pattern.test(pathname))

const firstSegments = new Set(QUESTIONS.map(({ path }) => path.split('/')[1]))
const mounts = MOUNTS.map(({ path }) => path).join('|')
const KEYED = new RegExp(`^(?:/api/v1)?(?:${mounts})?/(?:${[...firstSegments].join('|')})(?:/|$)`)

/** True for the paths of all endpoints, and for some paths without an endpoint. */
export const mayNeedKey = (pathname: string): boolean => KEYED.test(pathname)
