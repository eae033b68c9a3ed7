// What is between the socket and the app: every request is counted, and, where somebody wants to be told of each, made
// an exchange. Without such an observer a request costs two looks at the clock and a count.

import type { ActiveKey } from '../accounts/keys/key-directory.ts'
import type { Fetch } from '../http/server/fetch.ts'
import { pathOf } from '../http/server/request-path.ts'
import { sentBodyOf } from '../http/server/sent-body.ts'
import type { Exchange, ExchangeObserver } from './exchange.ts'
import type { Observe } from './observe.ts'
import type { RequestStats, RouteStats } from './stats/request-stats.ts'

export class RequestWatch {
  readonly #stats: RequestStats
  readonly #observers: readonly ExchangeObserver[]
  readonly #addressOf: (request: Request) => string | null
  readonly #exchanges = new WeakMap<Request, Exchange>()

  constructor(stats: RequestStats, { observers = [], addressOf = () => null }: Observe = {}) {
    this.#stats = stats
    this.#observers = observers
    this.#addressOf = addressOf
  }

  around(fetch: Fetch): Fetch {
    return this.#observers.length === 0 ? counted(this.#stats, fetch) : (request) => this.#observed(request, fetch)
  }

  /** Undefined where nobody wants to know. */
  get keyAccepted(): ((request: Request, key: ActiveKey) => void) | undefined {
    if (this.#observers.length === 0) return undefined
    return (request, key) => {
      const exchange = this.#exchanges.get(request)
      if (exchange !== undefined) exchange.key = key
    }
  }

  async #observed(request: Request, fetch: Fetch): Promise<Response> {
    const route = this.#stats.of(request)
    const exchange = begin(request, route, this.#addressOf(request))
    this.#exchanges.set(request, exchange)
    let answer = async () => fetch(request)
    for (const { around } of this.#observers) {
      const inner = answer
      if (around !== undefined) answer = () => around(exchange, inner)
    }
    const sinceMs = performance.now()
    const end = () => {
      exchange.durationMs = performance.now() - sinceMs
      for (const observer of this.#observers) observer.ended(exchange)
    }
    try {
      const response = await answer()
      exchange.firstByteMs = performance.now() - sinceMs
      route.count(request, response.status, exchange.firstByteMs)
      return await this.#answered(exchange, response, end)
    } catch (error) {
      exchange.firstByteMs = performance.now() - sinceMs
      exchange.status = 500
      exchange.end = 'failed'
      route.count(request, 500, exchange.firstByteMs)
      end()
      throw error
    }
  }

  async #answered(exchange: Exchange, response: Response, end: () => void): Promise<Response> {
    exchange.status = response.status
    exchange.requestId = response.headers.get('x-request-id') ?? ''
    const body = sentBodyOf(exchange.request)
    if (body !== undefined) {
      body.whenDone(() => {
        exchange.bytes = body.bytes
        exchange.end = body.end ?? 'whole'
        end()
      })
      return response
    }
    const { response: same, bytes } = await weighed(exchange.request, response)
    exchange.bytes = bytes
    end()
    return same
  }
}

const counted =
  (stats: RequestStats, fetch: Fetch): Fetch =>
  (request) => {
    const route = stats.of(request)
    const sinceMs = performance.now()
    const response = fetch(request)
    if (response instanceof Promise) return countedLater(route, { request, response, sinceMs })
    route.count(request, response.status, performance.now() - sinceMs)
    return response
  }

type UnderWay = { request: Request; response: Promise<Response>; sinceMs: number }

async function countedLater(route: RouteStats, { request, response, sinceMs }: UnderWay): Promise<Response> {
  try {
    const answered = await response
    route.count(request, answered.status, performance.now() - sinceMs)
    return answered
  } catch (error) {
    route.count(request, 500, performance.now() - sinceMs)
    throw error
  }
}

// What the runtime knows of a request it may forget with the last byte of the answer.
const begin = (request: Request, { route, method }: RouteStats, address: string | null): Exchange => ({
  request,
  route,
  method,
  path: pathOf(request.url),
  address,
  userAgent: request.headers.get('user-agent') ?? '',
  startMs: performance.timeOrigin + performance.now(),
  key: null,
  requestId: '',
  status: 0,
  bytes: null,
  end: 'whole',
  firstByteMs: 0,
  durationMs: 0,
})

/** A body of text in one piece is taken out, weighed and put back. Others may be streams: their size stays unknown.
 *  That of a HEAD is not sent, and an empty one in its place would tell its length. */
async function weighed(request: Request, response: Response): Promise<{ response: Response; bytes: number | null }> {
  if (response.body === null || request.method === 'HEAD') return { response, bytes: 0 }
  const type = response.headers.get('content-type') ?? ''
  if (!/^(?:application\/(?:problem\+)?json|text\/(?!event-stream))/.test(type)) return { response, bytes: null }
  const blob = await response.blob()
  const { status, statusText, headers } = response
  return { response: new Response(blob, { status, statusText, headers }), bytes: blob.size }
}
