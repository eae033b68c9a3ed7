// Entity tags, and answers without a body: 304 for a client that has the answer (RFC 9110, section 13), and HEAD. A tag
// is made from what the answer depends on, never from the answer itself. So a 304 and a HEAD need no computation of the
// answer.

import { createHash } from 'node:crypto'
import type { Catalogue } from '../../../storage/catalogue.ts'
import { VERSION } from '../../version.ts'
import type { Freshness } from './freshness.ts'

/** The tag and the caching rules of an answer, and its other headers. */
export type Validators = {
  etag: string
  freshness: Freshness
  /** The media type; JSON if omitted. */
  type?: string
  /** The Vary header; the usual one if omitted. */
  vary?: string
  headers?: Readonly<Record<string, string>>
}

/** Makes a weak tag: the same answer in another encoding counts as equal. */
export type TagOf = (parts: readonly unknown[]) => Promise<string>

/** `parts` is everything that answers at one address depend on, except the program's version and the store. These are
 *  part of every tag, since two stores may have equal revision numbers. */
export function tagsOf(secretOf: StoreSecret): TagOf {
  let store: string | undefined
  return async (parts) => {
    // Hashed separately: tags must not reveal the secret.
    store ??= createHash('sha256')
      .update(await secretOf())
      .digest('hex')
      .slice(0, 16)
    return `W/"${Bun.hash(JSON.stringify([VERSION, store, parts])).toString(36)}"`
  }
}

export type StoreSecret = () => Promise<Uint8Array>

/** Reads the secret once. */
export function storeSecret(catalogue: Pick<Catalogue, 'cursorSecret'>): StoreSecret {
  let secret: Uint8Array | undefined
  return async () => {
    secret ??= await catalogue.cursorSecret()
    return secret
  }
}

/** Returns a 304 or the answer to a HEAD; undefined if the client needs a body. Call after all checks that may refuse
 *  the request. */
export function answerWithoutBody(request: Request, headers: Record<string, string>): Response | undefined {
  const known = request.headers.get('if-none-match')
  if (known !== null && isAmong(headers['etag'] ?? '', known)) {
    const { 'content-type': _, ...rest } = headers
    return new Response(null, { status: 304, headers: rest })
  }
  // The length of the body is unknown here, so http/edge-handler.ts removes Content-Length.
  return request.method === 'HEAD' ? new Response(null, { headers }) : undefined
}

/** Returns whether a list has a tag, by weak comparison. `list` is the value of If-None-Match: tags separated by
 *  commas, or `*`. */
export function isAmong(tag: string, list: string): boolean {
  if (list === tag) return true
  if (list.trim() === '*') return true
  const opaque = opaqueOf(tag)
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => opaqueOf(each) === opaque)
}

const opaqueOf = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag)
