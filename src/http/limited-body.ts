// Reads the body of a management request: one JSON object, of a bounded size whatever its headers say.

import { RequestFailure } from './request-failure.ts'

export const BODY_BYTES_MAX = 16_384

/** Undefined without a body. Throws 413 and 415, and `body_invalid`. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const text = await readText(request)
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
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES_MAX) throw tooLarge()
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > BODY_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLarge = () =>
  new RequestFailure('body_too_large', `The body is too large: accepted are at most ${BODY_BYTES_MAX} bytes`)
