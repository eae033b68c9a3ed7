// Counts requests by route, method and status. A route is named by its template, never by a path, so the number of
// series is limited by the number of routes. Counting a request costs a map lookup and a few additions.

import { pathOf } from '../../http/server/request-path.ts'
import { pathPattern } from '../../http/server/route-table.ts'
import { sentBodyOf } from '../../http/server/sent-body.ts'
import { Histogram } from './histogram.ts'

/** Bounds in seconds. The lowest ones suit a cached answer, the highest ones a day of raw records. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STATUS_MIN = 100
const STATUS_MAX = 599
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const NO_ROUTE = '(none)'

export class RouteStats {
  readonly statuses = new Float64Array(STATUS_MAX - STATUS_MIN + 1)
  /** Time until the first byte of the response was ready. */
  readonly seconds = new Histogram(BOUNDS)
  /** Sent bytes; null if the route's bodies are small and not counted. */
  bodyBytes: number | null
  readonly route: string
  readonly method: string

  constructor(route: string, method: string, isStreamed: boolean) {
    this.route = route
    this.method = method
    this.bodyBytes = isStreamed ? 0 : null
  }

  count(request: Request, status: number, elapsedMs: number): void {
    this.statuses[status - STATUS_MIN]! += 1
    this.seconds.observe(elapsedMs / 1000)
    if (this.bodyBytes === null) return
    sentBodyOf(request)?.whenDone(({ bytes }) => {
      this.bodyBytes! += bytes
    })
  }

  /** Yields the statuses that occurred, with their counts. */
  *statusCounts(): Iterable<{ status: number; requests: number }> {
    for (const [index, requests] of this.statuses.entries())
      if (requests > 0) yield { status: index + STATUS_MIN, requests }
  }
}

type Route = { path: string }

export class RequestStats {
  readonly #routes: () => readonly Route[]
  readonly #isStreamed: (route: string) => boolean
  #patterns: { route: string; pattern: RegExp; isOne: boolean }[] | undefined
  /** Stats by path, only for routes without parameters, so that clients cannot make the map grow. */
  readonly #gets = new Map<string, RouteStats>()
  readonly #all = new Map<string, RouteStats>()

  /** Reads the routes at the first request, when the app is complete. The bodies of streamed routes are large, so
   *  their sent bytes are counted when a body ends. */
  constructor(routes: () => readonly Route[], isStreamed: (route: string) => boolean) {
    this.#routes = routes
    this.#isStreamed = isStreamed
  }

  /** Returns the stats of routes that had at least one request. */
  all(): Iterable<RouteStats> {
    return this.#all.values()
  }

  of(request: Request): RouteStats {
    const { url, method } = request
    const start = url.indexOf('/', 8)
    const end = url.indexOf('?', start)
    const known = this.#gets.get(end === -1 ? url.slice(start) : url.slice(start, end))
    return known !== undefined && method === 'GET' ? known : this.#find(pathOf(url), method)
  }

  #find(path: string, method: string): RouteStats {
    this.#patterns ??= this.#routes().map(({ path }) => ({
      route: routeName(path),
      pattern: pathPattern(path),
      isOne: !path.includes(':') && !path.includes('*'),
    }))
    const found = this.#patterns.find(({ pattern }) => pattern.test(path))
    const stats = this.#stats(found?.route ?? NO_ROUTE, METHODS.includes(method) ? method : 'other')
    if (found?.isOne && method === 'GET') this.#gets.set(path, stats)
    return stats
  }

  #stats(route: string, method: string): RouteStats {
    const name = `${method} ${route}`
    let stats = this.#all.get(name)
    if (stats === undefined) {
      stats = new RouteStats(route, method, this.#isStreamed(route))
      this.#all.set(name, stats)
    }
    return stats
  }
}

/** Returns the documented name of a route, without the prefix, because the path with the prefix and the path without
 *  are one route. */
const routeName = (path: string) => path.replace(/^\/api\/v1(?=\/)/, '').replace(/:([A-Za-z_]+)/g, '{$1}')
