// Reads the body of a request, of a bounded size whatever its headers say.

import { RequestFailure } from './request-failure.ts'
import { pathOf } from './request-path.ts'

/** Of a management request: one small JSON object. */
export const BODY_BYTES_MAX = 16_384
/** Of a webhook: events hold whole subscriptions. */
export const WEBHOOK_BYTES_MAX = 262_144
export const WEBHOOK_PATH = '/webhooks/stripe'

/** Undefined without a body. Throws 413 and 415, and `body_invalid`. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const text = await readTextBody(request)
  if (text === '') return undefined
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json') {
    const message = `The body is of type ${JSON.stringify(type)}: accepted is application/json`
    throw new RequestFailure('body_type_unknown', message)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestFailure('body_invalid', 'The body is not JSON: accepted is one JSON object')
  }
}

/** Refuses by the declared length, before any of it is read. */
export function assertLengthFits(request: Request): void {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > BODY_BYTES_MAX && length > bytesMax(request)) throw tooLarge(bytesMax(request))
}

/** As it came, to the byte. Throws 413. */
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
  return Buffer.concat(chunks).toString('utf8')
}

const bytesMax = ({ url }: Request) => (pathOf(url).endsWith(WEBHOOK_PATH) ? WEBHOOK_BYTES_MAX : BODY_BYTES_MAX)

const tooLarge = (max: number) =>
  new RequestFailure('body_too_large', `The body is too large: accepted are at most ${max} bytes`)
