// An answer that stays the same while the server runs, such as a page of the documentation: made on first request,
// cached per encoding, and answered with 304 to a client that has it.

import { acceptedEncoding, type ContentEncoding, encoded, SMALL } from './content-encoding.ts'

export type FixedAnswer = {
  type: string
  /** Headers beyond those of every fixed answer. */
  headers?: Record<string, string>
  /** True if the URL changes with the content, such as a file named by its version: clients then cache it forever. */
  isImmutable?: boolean
  make: () => string | Promise<Uint8Array>
}

type EncodedAnswer = { bytes: Uint8Array; encoding: ContentEncoding; etag: string }

export function fixedAnswer({ type, headers = {}, isImmutable = false, make }: FixedAnswer) {
  const cache = new Map<ContentEncoding, Promise<EncodedAnswer>>()
  const freshness = isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
  const shared = { 'cache-control': freshness, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' }
  return async (request: Request): Promise<Response> => {
    const wanted = acceptedEncoding(request)
    const pending = cache.get(wanted) ?? keep(make, wanted)
    cache.set(wanted, pending)
    pending.catch(() => cache.delete(wanted))
    const { bytes, encoding, etag } = await pending
    const all = { ...shared, ...headers, etag }
    if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers: all })
    const ofBody = { 'content-type': type, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) }
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { ...all, ...ofBody } })
  }
}

async function keep(make: FixedAnswer['make'], wanted: ContentEncoding): Promise<EncodedAnswer> {
  const made = await make()
  const { body, encoding } = await encoded(
    { bytes: typeof made === 'string' ? Buffer.from(made) : made },
    wanted,
    SMALL,
  )
  if (!('bytes' in body)) throw new Error('bytes stay bytes when they are encoded')
  return { bytes: body.bytes, encoding, etag: `"${Bun.hash.xxHash64(body.bytes).toString(16)}"` }
}
