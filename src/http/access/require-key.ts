// Enforces what the market endpoints require: a key, its scope, and the limits of its plan. Also counts the answers.
//
// One part wraps the app, and one part runs inside it. A key or user that is not cached must be looked up
// asynchronously, but a route that may wait turns every answer into a promise, and this alone costs a tenth of the
// throughput. So the wrapper awaits the lookup before the app runs, and the decision inside the app is synchronous.

import assert from 'node:assert/strict'
import { Elysia } from 'elysia'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import type { Refusal } from '../../accounts/usage/allowance.ts'
import type { Call } from '../../accounts/usage/call.ts'
import type { Meter } from '../../accounts/usage/meter.ts'
import { rateLimit, rateLimitPolicy } from '../answers/rate-limit-headers.ts'
import type { VenueParameters } from '../parameters/venue-parameters.ts'
import type { Fetch } from '../server/fetch.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { pathOf } from '../server/request-path.ts'
import { type Authenticate, authenticatedKey } from './bearer.ts'
import { type DownloadTickets, hasTicket, TICKET } from './download-ticket.ts'

export type RequireKey = {
  /** Elysia plugin for the group of endpoints that need a key. */
  group: () => Elysia
  around: (fetch: Fetch) => Fetch
  /** Charges `calls` calls for a request that was admitted as one call. Throws RequestFailure. */
  charge: (request: Request, calls: number) => void
  /** Returns the key that a request was admitted with; null if it needed none. */
  keyOf: (request: Request) => ActiveKey | null
}

type Meters = Pick<Meter, 'ready' | 'admit' | 'settle' | 'charge'>

/** A request in progress: its key or the reason for its refusal, and its call once an endpoint has admitted it. */
type Visit = {
  request: Request
  key: ActiveKey | null
  failure: unknown
  call: Call | null
  /** True if the request has no key and needs none. */
  isKeyless: boolean
  /** True if the key comes from a ticket in the query. */
  isTicketed: boolean
}

type Endpoint = {
  /** Null if the endpoint itself checks the key's scope. */
  parameters: VenueParameters | null
  isBillable: boolean
  isOfAllVenues: boolean
}

type Parts = {
  authenticate: Authenticate
  meter: Meters
  /** Returns the venue of a route, and whether its answers count against the plan. */
  marketEndpoint: (route: string) => Endpoint
  /** True if there may be an endpoint at this path; requests to other paths pass unchanged. */
  mayNeedKey: (pathname: string) => boolean
  /** Called for each request whose key is accepted. */
  keyAccepted?: ((request: Request, key: ActiveKey) => void) | undefined
  /** True if a request is admitted without a key; it is then not counted. If omitted, every request needs a key. */
  needsNoKey?: ((request: Request) => boolean) | undefined
  /** Reads the ticket of a request that has a ticket instead of a key. */
  tickets?: Pick<DownloadTickets, 'keyOf'> | undefined
  /** Returns the name of the query parameter that may hold the key if the header is missing; null if the path allows no
   *  key in the query. */
  keyParameter?: ((pathname: string) => string | null) | undefined
}

export function createRequireKey(parts: Parts): RequireKey {
  const { authenticate, meter, marketEndpoint, mayNeedKey, keyAccepted, needsNoKey, tickets } = parts
  const { keyParameter = () => null } = parts
  // The calls of admitted requests. `charge` and `keyOf` look them up later.
  const calls = new WeakMap<Request, Call>()
  // The visit of the request that is being passed to the app. The app runs the endpoint's check before its first
  // await, so the check finds its own request here. The check asserts this.
  let entering: Visit | null = null

  function arrive(request: Request, pathname: string): Visit | Promise<Visit> {
    const authorization = request.headers.get('authorization') ?? authorizationIn(request, keyParameter(pathname))
    const isTicketed = authorization === null && tickets !== undefined && hasTicket(request)
    const isKeyless = authorization === null && !isTicketed && needsNoKey?.(request) === true
    const visit: Visit = { request, key: null, failure: null, call: null, isKeyless, isTicketed }
    if (isKeyless) return visit
    if (isTicketed) return waitFor(visit, tickets.keyOf(request), meter)
    try {
      const key = authenticatedKey(authorization, authenticate)
      if (key instanceof Promise) return waitFor(visit, key, meter)
      visit.key = key
      const loading = meter.ready(key)
      return loading === undefined ? visit : waitFor(visit, key, meter)
    } catch (error) {
      visit.failure = error
      return visit
    }
  }

  function pass(visit: Visit, fetch: Fetch): Response | Promise<Response> {
    entering = visit
    if (keyAccepted !== undefined && visit.key !== null) keyAccepted(visit.request, visit.key)
    try {
      const response = fetch(visit.request)
      if (visit.call === null) return response
      return response instanceof Promise ? answered(meter, visit.call, response) : leave(meter, visit.call, response)
    } catch (error) {
      if (visit.call !== null) meter.settle(visit.call, 500)
      throw error
    } finally {
      entering = null
    }
  }

  const group = () =>
    new Elysia().onTransform({ as: 'scoped' }, ({ request, route, path, query, params }) => {
      assert(entering?.request === request, 'a market endpoint was reached without its check of keys')
      const secret = keyParameter(path)
      if (secret !== null) delete query[secret]
      if (entering.isKeyless) return
      if (entering.key === null) throw entering.failure
      if (entering.isTicketed) delete query[TICKET]
      const endpoint = marketEndpoint(route)
      const subject = subjectOf(endpoint, query, params)
      if (endpoint.parameters !== null) assertScope(entering.key, subject.venue)
      const call = meter.admit(entering.key, { method: request.method, path, ...subject })
      entering.call = call
      calls.set(request, call)
      if (call.refusal !== null) throw refused(call.refusal)
    }) as unknown as Elysia

  const around =
    (fetch: Fetch): Fetch =>
    (request) => {
      const pathname = pathOf(request.url)
      if (!mayNeedKey(pathname)) return fetch(request)
      const visit = arrive(request, pathname)
      return visit instanceof Promise ? visit.then((known) => pass(known, fetch)) : pass(visit, fetch)
    }

  const charge = (request: Request, count: number) => {
    const call = calls.get(request)
    const refusal = call === undefined ? null : meter.charge(call, count)
    if (refusal !== null) throw refused(refusal)
  }

  const keyOfCall = (request: Request) => calls.get(request)?.key ?? null

  return { group, around, charge, keyOf: keyOfCall }
}

/** Returns the key from the query in the form of the Authorization header; null if the query has no key. */
function authorizationIn({ url }: Request, name: string | null): string | null {
  if (name === null) return null
  const start = url.indexOf('?')
  const secret = start === -1 ? null : new URLSearchParams(url.slice(start + 1)).get(name)
  return secret === null ? null : `Bearer ${secret}`
}

async function answered(meter: Meters, call: Call, response: Promise<Response>): Promise<Response> {
  try {
    return leave(meter, call, await response)
  } catch (error) {
    meter.settle(call, 500)
    throw error
  }
}

function leave(meter: Meters, call: Call, response: Response): Response {
  setRateLimit(response.headers, call)
  meter.settle(call, response.status)
  return response
}

async function waitFor(visit: Visit, found: ActiveKey | Promise<ActiveKey>, meter: Meters): Promise<Visit> {
  try {
    const key = await found
    await meter.ready(key)
    visit.key = key
  } catch (error) {
    visit.key = null
    visit.failure = error
  }
  return visit
}

function setRateLimit(headers: Headers, call: Call): void {
  const policy = rateLimitPolicy(call.allowance.plan)
  if (policy === '') return
  headers.set('ratelimit-policy', policy)
  headers.set('ratelimit', rateLimit(call))
}

type Texts = Readonly<Record<string, string | undefined>>

/** Returns the venue and market of a request. A question about all venues may name a single venue. */
function subjectOf({ parameters, isBillable, isOfAllVenues }: Endpoint, query: Texts, inPath: Texts | undefined) {
  if (!isOfAllVenues && parameters !== null) {
    const market = query[parameters.idParameter] ?? inPath?.['market'] ?? null
    return { venue: parameters.venue, market, isBillable }
  }
  return { venue: VENUES.find((venue) => venue === query['venue']) ?? null, market: null, isBillable }
}

/** Checks the key's scope; `venue` is null for all venues. Throws RequestFailure('scope_missing'). */
export function assertScope({ scopes }: ActiveKey, venue: Venue | null): void {
  if (scopes === null || (venue !== null && scopes.includes(venue))) return
  const message =
    venue === null
      ? `This API key is for ${scopes.join(', ')}: send that as the parameter venue`
      : `This API key is for ${scopes.join(', ')}: it cannot read ${venue}`
  throw new RequestFailure('scope_missing', message)
}

const MESSAGES = {
  quota_exceeded: "The plan's calls of this month are used up: wait for the next month, or choose a larger plan",
  rate_limited: 'Calls come faster than the plan allows: see the header RateLimit-Policy',
}

const refused = ({ reason, retryAfterSeconds }: Refusal) =>
  new RequestFailure(reason, MESSAGES[reason], { headers: { 'retry-after': String(retryAfterSeconds) } })
