// Answers from the index alone that can be long: lists of markets, and coverage. They are made in one piece, and only
// where somebody reads them. A short one waits for nothing.

import { bodyResponse, VARY } from './body-response.ts'
import { acceptedEncoding } from './content-encoding.ts'
import { isAmong } from './entity-tag.ts'
import { ASK_AGAIN } from './freshness.ts'

/** What a connection carries before its first acknowledgement (RFC 6928: ten segments). A shorter answer is there as
 *  soon as it would be compressed, and is not worth a trip to another thread. */
const FIRST_FLIGHT_BYTES = 14_600

// Made once: headers cost less when they are copied than when they are read out of an object.
const AS_IT_IS = {
  headers: new Headers({
    'content-type': 'application/json',
    'cache-control': ASK_AGAIN,
    vary: VARY,
    'x-content-type-options': 'nosniff',
  }),
}
const NOT_MODIFIED = { status: 304, headers: { 'cache-control': ASK_AGAIN, vary: VARY } }

/** `etag` is of all that the answer follows from; the caller puts it on a Response, for the reason that `smallAnswer`
 *  tells. A promise where the answer is compressed, which then has it. */
export function indexAnswer(request: Request, etag: string, answer: () => object): Response | Promise<Response> {
  const known = request.headers.get('if-none-match')
  if (known !== null && isAmong(etag, known)) return new Response(null, NOT_MODIFIED)
  if (request.method === 'HEAD') return new Response(null, AS_IT_IS)
  const text = JSON.stringify(answer())
  const encoding = text.length > FIRST_FLIGHT_BYTES ? acceptedEncoding(request) : 'identity'
  if (encoding === 'identity') return new Response(text, AS_IT_IS)
  const validators = { etag, freshness: ASK_AGAIN }
  // A body that is there does not fail late.
  return bodyResponse({ bytes: Buffer.from(text) }, { request, encoding, validators, onLateFailure: () => undefined })
}
