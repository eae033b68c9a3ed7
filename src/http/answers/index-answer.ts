// Answers from the index alone. They are made in one piece, and only where somebody reads them. A short one waits for
// nothing.

import { bodyHeaders, bodyResponse } from './body-response.ts'
import { acceptedEncoding } from './content-encoding.ts'
import { answerWithoutBody } from './entity-tag.ts'
import { ASK_AGAIN } from './freshness.ts'

/** What a connection carries before its first acknowledgement (RFC 6928: ten segments). A shorter answer is there as
 *  soon as it would be compressed, and is not worth a trip to another thread. */
const FIRST_FLIGHT_BYTES = 14_600

type IndexAnswer = {
  /** Of all that the answer follows from. */
  etag: string
  /** Whether the answer is always short, and never compressed. */
  isShort: boolean
  make: () => object | Promise<object>
}

export async function indexAnswer(request: Request, { etag, isShort, make }: IndexAnswer): Promise<Response> {
  const validators = { etag, freshness: ASK_AGAIN }
  const headers = bodyHeaders(validators)
  if (isShort) delete headers['vary']
  const bodiless = answerWithoutBody(request, headers)
  if (bodiless !== undefined) return bodiless
  const text = JSON.stringify(await make())
  const encoding = isShort || text.length <= FIRST_FLIGHT_BYTES ? 'identity' : acceptedEncoding(request)
  if (encoding === 'identity') return new Response(text, { headers })
  // A body that is there does not fail late.
  return bodyResponse({ bytes: Buffer.from(text) }, { request, encoding, validators, onLateFailure: () => undefined })
}
