// What the market endpoints require: a key, its scope, and the limits of its plan. It also counts the answers.
//
// It stands around the app and not only in it. A key or a user that is not known yet must be waited for; but a route
// that may wait makes every answer a promise, and that alone costs a tenth of the throughput. So we wait before the app
// is asked, and decide at once inside it.

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
import { type Authenticate, keyOf } from './bearer.ts'
import { type DownloadTickets, hasTicket, TICKET } from './download-ticket.ts'

export type RequireKey = {
  /** For the group of endpoints that need a key. */
  group: () => Elysia
  around: (fetch: Fetch) => Fetch
  /** A request that was admitted as one call is so many of them. Throws RequestFailure. */
  charge: (request: Request, calls: number) => void
  /** The key that a request was admitted with; null where it needed none. */
  keyOf: (request: Request) => ActiveKey | null
}

type Meters = Pick<Meter, 'ready' | 'admit' | 'settle' | 'charge'>

/** A request: who sent it, or why it is refused; and its call, once an endpoint has admitted it. */
type Visit = {
  request: Request
  key: ActiveKey | null
  failure: unknown
  call: Call | null
  /** It has no key and needs none. */
  isKeyless: boolean
  /** Its key comes from a ticket in its query. */
  isTicketed: boolean
}

type Endpoint = {
  /** Null where the endpoint itself asserts that the key is for what is asked. */
  parameters: VenueParameters | null
  isBillable: boolean
  isOfAllVenues: boolean
}

type Parts = {
  authenticate: Authenticate
  meter: Meters
  /** Which venue a route is of, and whether its answers count for the plan. */
  marketEndpoint: (route: string) => Endpoint
  /** Whether there may be an endpoint at a path; every other is passed on untouched. */
  mayNeedKey: (pathname: string) => boolean
  /** Called for each request whose key is accepted. */
  keyAccepted?: ((request: Request, key: ActiveKey) => void) | undefined
  /** Whether a request is admitted without a key; it is not counted then. Without this every request needs one. */
  needsNoKey?: ((request: Request) => boolean) | undefined
  /** Takes the place of the header where a request has a ticket instead. */
  tickets?: Pick<DownloadTickets, 'keyOf'> | undefined
  /** The parameter that holds the key where the header is missing, of endpoints at a path; null where none may. */
  keyParameter?: ((pathname: string) => string | null) | undefined
}

export function createRequireKey(parts: Parts): RequireKey {
  const { authenticate, meter, marketEndpoint, mayNeedKey, keyAccepted, needsNoKey, tickets } = parts
  const { keyParameter = () => null } = parts
  // Those that were admitted, for what is known of them only later.
  const calls = new WeakMap<Request, Call>()
  // The app reaches the endpoint's check before it waits for anything, so this is the visit of that request. The check
  // asserts it.
  let entering: Visit | null = null

  function arrive(request: Request, pathname: string): Visit | Promise<Visit> {
    const authorization = request.headers.get('authorization') ?? authorizationIn(request, keyParameter(pathname))
    const isTicketed = authorization === null && tickets !== undefined && hasTicket(request)
    const isKeyless = authorization === null && !isTicketed && needsNoKey?.(request) === true
    const visit: Visit = { request, key: null, failure: null, call: null, isKeyless, isTicketed }
    if (isKeyless) return visit
    if (isTicketed) return waitFor(visit, tickets.keyOf(request), meter)
    try {
      const key = keyOf(authorization, authenticate)
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
      const asked = subjectOf(endpoint, query, params)
      if (endpoint.parameters !== null) assertScope(entering.key, asked.venue)
      const call = meter.admit(entering.key, { method: request.method, path, ...asked })
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

/** As the header would have it; null where the query has no key either. */
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

/** What a request is about: a question about all venues may name one of them. */
function subjectOf({ parameters, isBillable, isOfAllVenues }: Endpoint, query: Texts, inPath: Texts | undefined) {
  if (!isOfAllVenues && parameters !== null) {
    const market = query[parameters.idParameter] ?? inPath?.['market'] ?? null
    return { venue: parameters.venue, market, isBillable }
  }
  return { venue: VENUES.find((venue) => venue === query['venue']) ?? null, market: null, isBillable }
}

/** `venue` is null for all of them. Throws RequestFailure('scope_missing'). */
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
