// Reads the body of a request up to a limit, whatever its headers claim.

import { quoted, RequestFailure } from './request-failure.ts'
import { pathOf } from './request-path.ts'

/** Limit for the body of a management request, which is one small JSON object. */
export const BODY_BYTES_MAX = 16_384
/** Limit for the body of a webhook event, which holds a whole subscription. */
export const WEBHOOK_BYTES_MAX = 262_144
export const WEBHOOK_PATH = '/webhooks/stripe'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns undefined without a body. Throws 413 and 415, and `body_invalid` unless the body is one JSON object. */
export async function readJsonBody(request: Request): Promise<object | undefined> {
  const text = await readTextBody(request)
  if (text === '') return undefined
  const type = request.headers.get('content-type') ?? ''
  if (!isJson(type)) {
    const message = `The body must be application/json in UTF-8, got ${quoted(type)}`
    throw new RequestFailure('body_type_unknown', message)
  }
  const body = parsed(text)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new RequestFailure('body_invalid', 'The body must be one JSON object')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestFailure('body_invalid', 'The body must be one JSON object, and is not JSON')
  }
}

function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  return type.trim() === 'application/json' && !parameters.some((each) => /^\s*charset=(?!"?utf-?8"?\s*$)/.test(each))
}

/** Refuses a body by its headers, before reading it: length (413), encoding (415), and the client's expectation (417).
 */
export function assertBodyIsAcceptable(request: Request): void {
  const { headers } = request
  const length = Number(headers.get('content-length') ?? 0)
  if (length > BODY_BYTES_MAX && length > bytesMax(request)) throw tooLarge(bytesMax(request))
  const coding = headers.get('content-encoding')
  if (coding !== null && coding.toLowerCase() !== 'identity') {
    const message = `The body must not be encoded, got content-encoding ${quoted(coding)}`
    throw new RequestFailure('body_type_unknown', message, { headers: { 'accept-encoding': 'identity' } })
  }
  const expected = headers.get('expect')
  if (expected !== null && expected.toLowerCase() !== '100-continue') {
    const message = `The header Expect must be 100-continue, got ${quoted(expected)}`
    throw new RequestFailure('expectation_unknown', message)
  }
}

/** Returns the body's exact text. Throws 413, and `body_invalid` if it is not UTF-8. */
export async function readTextBody(request: Request): Promise<string> {
  if (request.body === null) return ''
  const max = bytesMax(request)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > max) throw tooLarge(max)
    chunks.push(chunk)
  }
  try {
    return utf8.decode(Buffer.concat(chunks))
  } catch {
    throw new RequestFailure('body_invalid', 'The body must be UTF-8')
  }
}

const bytesMax = ({ url }: Request) => (pathOf(url).endsWith(WEBHOOK_PATH) ? WEBHOOK_BYTES_MAX : BODY_BYTES_MAX)

const tooLarge = (max: number) => new RequestFailure('body_too_large', `The body may have at most ${max} bytes`)
