// The gate of the market endpoints: the key, its scope, the plan's limits; and the count of what was answered.
//
// It stands around the app and not only in it. A key or a user that is not known yet must be waited for; but a route
// that may wait makes every answer a promise, and that alone costs a tenth of the throughput. So what must be waited
// for is waited for before the app is asked, and inside it the gate decides at once.

import assert from 'node:assert/strict'
import { Elysia } from 'elysia'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import type { Refusal } from '../../accounts/usage/allowance.ts'
import type { Call } from '../../accounts/usage/call.ts'
import type { Meter } from '../../accounts/usage/meter.ts'
import { rateLimit, rateLimitPolicy } from '../answers/rate-limit-headers.ts'
import { marketEndpoint } from '../parameters/market-endpoint.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { pathOf } from '../server/request-path.ts'
import { type Authenticate, keyOf } from './bearer.ts'

export type Fetch = (request: Request) => Response | Promise<Response>

export type Gate = {
  /** For the group of endpoints that stand behind it. */
  group: () => Elysia
  around: (fetch: Fetch) => Fetch
}

type Meters = Pick<Meter, 'ready' | 'admit' | 'settle'>

/** A request at the gate: who sent it, or why it is refused; and, once an endpoint let it in, its call. */
type Visit = {
  request: Request
  key: ActiveKey | null
  failure: unknown
  call: Call | null
  /** Whether it comes without a key and needs none. */
  isKeyless: boolean
}

type GateParts = {
  authenticate: Authenticate
  meter: Meters
  /** Told of each request whose key is accepted. */
  keyAccepted?: ((request: Request, key: ActiveKey) => void) | undefined
  /** Whether a request without a key is let in; nothing is counted of it. Nobody is without this. */
  needsNoKey?: ((request: Request) => boolean) | undefined
}

export function createGate({ authenticate, meter, keyAccepted, needsNoKey }: GateParts): Gate {
  // The app reaches the endpoint's gate before it waits for anything, so the visit need not be looked for by its
  // request; that it is the right one is checked.
  let entering: Visit | null = null

  function arrive(request: Request): Visit | Promise<Visit> {
    const authorization = request.headers.get('authorization')
    const isKeyless = authorization === null && needsNoKey?.(request) === true
    const visit: Visit = { request, key: null, failure: null, call: null, isKeyless }
    if (isKeyless) return visit
    try {
      const key = keyOf(authorization, authenticate)
      if (key instanceof Promise) return waitFor(visit, key)
      visit.key = key
      const loading = meter.ready(key)
      return loading === undefined ? visit : waitFor(visit, key)
    } catch (error) {
      visit.failure = error
      return visit
    }
  }

  async function waitFor(visit: Visit, found: ActiveKey | Promise<ActiveKey>): Promise<Visit> {
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

  function pass(visit: Visit, fetch: Fetch): Response | Promise<Response> {
    entering = visit
    if (keyAccepted !== undefined && visit.key !== null) keyAccepted(visit.request, visit.key)
    try {
      const response = fetch(visit.request)
      if (visit.call === null) return response
      return response instanceof Promise ? answered(visit.call, response) : leave(visit.call, response)
    } catch (error) {
      if (visit.call !== null) meter.settle(visit.call, 500)
      throw error
    } finally {
      entering = null
    }
  }

  async function answered(call: Call, response: Promise<Response>): Promise<Response> {
    try {
      return leave(call, await response)
    } catch (error) {
      meter.settle(call, 500)
      throw error
    }
  }

  function leave(call: Call, response: Response): Response {
    const policy = rateLimitPolicy(call.allowance.plan)
    if (policy !== '') {
      response.headers.set('ratelimit-policy', policy)
      response.headers.set('ratelimit', rateLimit(call))
    }
    meter.settle(call, response.status)
    return response
  }

  const group = () =>
    new Elysia().onTransform({ as: 'scoped' }, ({ request, route, path, query }) => {
      assert(entering?.request === request, 'a market endpoint was reached beside the gate')
      if (entering.isKeyless) return
      if (entering.key === null) throw entering.failure
      const { parameters, isBillable } = marketEndpoint(route)
      const { venue, idParameter } = parameters
      assertScope(entering.key, venue)
      const asked = { method: request.method, path, venue, market: query[idParameter] ?? null, isBillable }
      const call = meter.admit(entering.key, asked)
      entering.call = call
      if (call.refusal !== null) throw refused(call.refusal)
    }) as unknown as Elysia

  const around =
    (fetch: Fetch): Fetch =>
    (request) => {
      // Wider than the endpoints: what is no market endpoint passes untouched.
      if (!pathOf(request.url).includes('/market/')) return fetch(request)
      const visit = arrive(request)
      return visit instanceof Promise ? visit.then((known) => pass(known, fetch)) : pass(visit, fetch)
    }

  return { group, around }
}

function assertScope({ scopes }: ActiveKey, venue: 'polymarket' | 'kalshi'): void {
  if (scopes === null || scopes.includes(venue)) return
  const message = `The API key does not read ${venue}: accepted is a key for it, and this one is for ${scopes.join(', ')}`
  throw new RequestFailure('scope_missing', message)
}

const MESSAGES = {
  quota_exceeded:
    "The month's calls of the plan are used up: accepted is a call in the next month, or on a larger plan",
  rate_limited: 'Calls come faster than the plan allows: accepted is what the header RateLimit-Policy says',
}

const refused = ({ reason, retryAfterSeconds }: Refusal) =>
  new RequestFailure(reason, MESSAGES[reason], { headers: { 'retry-after': String(retryAfterSeconds) } })
