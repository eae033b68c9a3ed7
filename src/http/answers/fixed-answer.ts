// An answer that stays the same while the server runs, such as a page of the documentation: made when it is first asked
// for, kept in each encoding that was asked for, and not sent again to a client that has it.

import { acceptedEncoding, type ContentEncoding, encoded, SMALL } from './content-encoding.ts'

export type FixedAnswer = {
  type: string
  /** Beyond those of every fixed answer. */
  headers?: Record<string, string>
  /** Whether its address changes with it, as that of a file named by its version: then it is kept for good. */
  isImmutable?: boolean
  make: () => string | Promise<Uint8Array>
}

type Kept = { bytes: Uint8Array; encoding: ContentEncoding; etag: string }

export function fixedAnswer({ type, headers = {}, isImmutable = false, make }: FixedAnswer) {
  const kept = new Map<ContentEncoding, Promise<Kept>>()
  const freshness = isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
  const shared = { 'cache-control': freshness, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' }
  return async (request: Request): Promise<Response> => {
    const wanted = acceptedEncoding(request)
    const keeping = kept.get(wanted) ?? keep(make, wanted)
    kept.set(wanted, keeping)
    keeping.catch(() => kept.delete(wanted))
    const { bytes, encoding, etag } = await keeping
    const all = { ...shared, ...headers, etag }
    if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers: all })
    const ofBody = { 'content-type': type, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) }
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { ...all, ...ofBody } })
  }
}

async function keep(make: FixedAnswer['make'], wanted: ContentEncoding): Promise<Kept> {
  const made = await make()
  const { body, encoding } = await encoded(
    { bytes: typeof made === 'string' ? Buffer.from(made) : made },
    wanted,
    SMALL,
  )
  if (!('bytes' in body)) throw new Error('bytes stay bytes when they are encoded')
  return { bytes: body.bytes, encoding, etag: `"${Bun.hash.xxHash64(body.bytes).toString(16)}"` }
}
