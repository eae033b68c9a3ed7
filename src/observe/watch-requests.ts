// Wraps the app: counts every request, and builds its exchange if there is an observer. Without an observer, a
// request costs two clock readings and a count.

import type { ActiveKey } from '../accounts/keys/key-directory.ts'
import type { Fetch } from '../http/server/fetch.ts'
import { pathOf } from '../http/server/request-path.ts'
import { sentBodyOf } from '../http/server/sent-body.ts'
import type { Exchange, ExchangeObserver } from './exchange.ts'
import type { Observe } from './observe.ts'
import type { RequestStats, RouteStats } from './stats/request-stats.ts'

export class RequestWatch {
  readonly #stats: RequestStats
  readonly #observer: ExchangeObserver | undefined
  readonly #addressOf: (request: Request) => string | null
  readonly #exchanges = new WeakMap<Request, Exchange>()

  constructor(stats: RequestStats, { observer, addressOf = () => null }: Observe = {}) {
    this.#stats = stats
    this.#observer = observer
    this.#addressOf = addressOf
  }

  around(fetch: Fetch): Fetch {
    const observer = this.#observer
    return observer ? (request) => this.#observed(request, fetch, observer) : counted(this.#stats, fetch)
  }

  /** Callback that notes the key of a request; undefined without an observer. */
  get keyAccepted(): ((request: Request, key: ActiveKey) => void) | undefined {
    if (this.#observer === undefined) return undefined
    return (request, key) => {
      const exchange = this.#exchanges.get(request)
      if (exchange !== undefined) exchange.key = key
    }
  }

  async #observed(request: Request, fetch: Fetch, observer: ExchangeObserver): Promise<Response> {
    const route = this.#stats.of(request)
    const exchange = begin(request, route, this.#addressOf(request))
    this.#exchanges.set(request, exchange)
    const sinceMs = performance.now()
    const began = (status: number) => {
      exchange.status = status
      exchange.firstByteMs = performance.now() - sinceMs
      route.count(request, status, exchange.firstByteMs)
    }
    const end = () => {
      exchange.durationMs = performance.now() - sinceMs
      observer(exchange)
    }
    try {
      const response = await fetch(request)
      began(response.status)
      return await this.#answered(exchange, response, end)
    } catch (error) {
      began(500)
      exchange.end = 'failed'
      end()
      throw error
    }
  }

  async #answered(exchange: Exchange, response: Response, end: () => void): Promise<Response> {
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
    const { response: same, bytes } = await measured(exchange.request, response)
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
    const count = (status: number) => route.count(request, status, performance.now() - sinceMs)
    const response = fetch(request)
    if (!(response instanceof Promise)) count(response.status)
    else {
      void response.then(
        ({ status }) => count(status),
        () => count(500),
      )
    }
    return response
  }

// Reads all fields now: the runtime may release the request as soon as the last byte of the response is sent.
const begin = (request: Request, { route, method }: RouteStats, address: string | null): Exchange => ({
  request,
  route,
  method,
  path: pathOf(request.url),
  address,
  userAgent: request.headers.get('user-agent') ?? '',
  key: null,
  requestId: '',
  status: 0,
  bytes: null,
  end: 'whole',
  firstByteMs: 0,
  durationMs: 0,
})

/** Measures a text body by reading it, and returns a response with the same body. Other bodies may be streams: their
 *  size stays unknown (null). The body of a HEAD response is not sent, so it is left untouched: replacing it would
 *  change the length header. */
async function measured(request: Request, response: Response): Promise<{ response: Response; bytes: number | null }> {
  if (response.body === null || request.method === 'HEAD') return { response, bytes: 0 }
  const type = response.headers.get('content-type') ?? ''
  if (!/^(?:application\/(?:problem\+)?json|text\/(?!event-stream))/.test(type)) return { response, bytes: null }
  const blob = await response.blob()
  const { status, statusText, headers } = response
  return { response: new Response(blob, { status, statusText, headers }), bytes: blob.size }
}
