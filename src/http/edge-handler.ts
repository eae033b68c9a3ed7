// Runs before the routes for every request and after them for every answer. It sits outside of the framework, which
// would rebuild a response to add a header: bodies would lose their length, and each header would cost more.

import { nothingAt, problemResponse } from './problem/problem.ts'
import { allowOrigin, type Origins } from './server/cors.ts'
import type { Fetch } from './server/fetch.ts'
import { headLengthOf } from './server/head-length.ts'
import { assertBodyIsAcceptable } from './server/limited-body.ts'
import { HEADER_BYTES_MAX } from './server/listen.ts'
import { addPageHeaders } from './server/page-headers.ts'
import { quoted, RequestFailure } from './server/request-failure.ts'
import { lastRequestIdOf, requestIdOf } from './server/request-id.ts'
import { pathOf } from './server/request-path.ts'
import type { RouteTable } from './server/route-table.ts'

/** Enough to name 200 books of Polymarket. If all headers exceed twice this limit, the runtime answers 431. */
export const URL_CHARACTERS_MAX = HEADER_BYTES_MAX / 2

/** Origins of other sites: pages of `corsOrigins` may read answers, pages of `frameAncestors` may frame a chart. */
type Allowed = { corsOrigins: Origins; frameAncestors: Origins }

export const edgeHandler =
  (routes: RouteTable, allowed: Allowed, fetch: Fetch): Fetch =>
  (request) => {
    const isPlain = request.method === 'GET' && request.url.length <= URL_CHARACTERS_MAX
    const answer = (isPlain ? undefined : answerAtEdge(request, routes)) ?? fetch(request)
    if (answer instanceof Promise) return answer.then((response) => finished(request, response, allowed))
    return finished(request, answer, allowed)
  }

/** Returns undefined if the routes answer the request. */
function answerAtEdge(request: Request, routes: RouteTable): Response | undefined {
  try {
    if (request.url.length > URL_CHARACTERS_MAX) throw urlTooLong(request)
    if (request.method === 'OPTIONS') return optionsAnswer(request, routes)
    // The body of a GET or HEAD is never read.
    if (request.method !== 'HEAD') assertBodyIsAcceptable(request)
    return undefined
  } catch (error) {
    if (error instanceof RequestFailure) return problemResponse(error, requestIdOf(request))
    throw error
  }
}

function optionsAnswer({ url }: Request, routes: RouteTable): Response {
  const pathname = pathOf(url)
  const methods = routes.methodsOf(pathname)
  if (methods.length === 0) throw nothingAt(pathname)
  return new Response(null, { status: 204, headers: { allow: methods.join(', ') } })
}

const urlTooLong = ({ url }: Request) =>
  new RequestFailure(
    'url_too_long',
    `The URL may have at most ${URL_CHARACTERS_MAX} characters, got ${url.length} for ${quoted(pathOf(url))} with its query`,
  )

function finished(request: Request, response: Response, { corsOrigins, frameAncestors }: Allowed): Response {
  const { headers } = response
  const pathname = pathOf(request.url)
  headers.set('x-request-id', lastRequestIdOf(request))
  if (!headers.has('x-content-type-options')) headers.set('x-content-type-options', 'nosniff')
  if (corsOrigins !== null) allowOrigin(corsOrigins, pathname, request, headers)
  addPageHeaders(request.url, response, frameAncestors)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  return request.method === 'HEAD' ? withRightLength(request, response) : response
}

/** Fixes the content-length of a HEAD: the framework sends the length of its own, empty body, which is 0. */
function withRightLength(request: Request, response: Response): Response {
  const { status, headers } = response
  if (headers.get('content-length') !== '0') return response
  const length = headLengthOf(request)
  if (length !== undefined && status === 200) {
    headers.set('content-length', String(length))
    return response
  }
  headers.delete('content-length')
  return status === 200 ? new Response(neverRead(), { status, headers }) : response
}

/** Makes a body for the answer to a HEAD; the runtime does not read it. For any other body, the runtime would send that
 *  body's length. */
const neverRead = () => new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
