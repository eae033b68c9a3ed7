// Answers from the catalogue's index alone, made in one piece and only if the client needs the body. A short answer is
// not compressed.

import { bodyHeaders, bodyResponse } from './body-response.ts'
import { acceptedEncoding } from './content-encoding.ts'
import { answerWithoutBody } from './entity-tag.ts'
import { ASK_AGAIN } from './freshness.ts'

/** Number of bytes that a connection carries before its first acknowledgement (RFC 6928: ten segments). A shorter
 *  answer arrives as soon uncompressed as compressed, so compressing it in another thread is not worthwhile. */
const FIRST_FLIGHT_BYTES = 14_600

type IndexAnswer = {
  /** Entity tag, from everything that the answer depends on. */
  etag: string
  /** True if the answer is always short, and never compressed. */
  isShort?: boolean
  make: () => object | Promise<object>
}

export async function indexAnswer(request: Request, { etag, isShort = false, make }: IndexAnswer): Promise<Response> {
  const validators = { etag, freshness: ASK_AGAIN }
  const headers = bodyHeaders(validators)
  if (isShort) delete headers['vary']
  const bodiless = answerWithoutBody(request, headers)
  if (bodiless !== undefined) return bodiless
  const text = JSON.stringify(await make())
  const encoding = isShort || text.length <= FIRST_FLIGHT_BYTES ? 'identity' : acceptedEncoding(request)
  if (encoding === 'identity') return new Response(text, { headers })
  // A complete body cannot fail late.
  return bodyResponse({ bytes: Buffer.from(text) }, { request, encoding, validators, onLateFailure: () => undefined })
}
