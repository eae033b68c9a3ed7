// Entity tags, and the answers that need no body: 304 to a client that has the answer already (RFC 9110, section 13),
// and HEAD. A tag is made from what an answer follows from, never from the answer: so both cost no computation.

import { createHash } from 'node:crypto'
import type { Catalogue } from '../../../storage/catalogue.ts'
import { VERSION } from '../../version.ts'
import type { Freshness } from './freshness.ts'

/** What a client may keep an answer by, and what else its headers say. */
export type Validators = {
  etag: string
  freshness: Freshness
  /** JSON unless given. */
  type?: string
  /** The usual headers unless given. */
  vary?: string
  headers?: Readonly<Record<string, string>>
}

/** Weak: the same answer in another encoding is the same to everybody who asks. */
export type TagOf = (parts: readonly unknown[]) => Promise<string>

/** `parts` is everything that answers at one address follow from, apart from the program and the store, which are part
 *  of every tag: two stores may count their revisions alike. */
export function tagsOf(secretOf: StoreSecret): TagOf {
  let store: string | undefined
  return async (parts) => {
    // Hashed by itself: the secret must not be found from tags.
    store ??= createHash('sha256')
      .update(await secretOf())
      .digest('hex')
      .slice(0, 16)
    return `W/"${Bun.hash(JSON.stringify([VERSION, store, parts])).toString(36)}"`
  }
}

export type StoreSecret = () => Promise<Uint8Array>

/** Read once. */
export function storeSecret(catalogue: Pick<Catalogue, 'cursorSecret'>): StoreSecret {
  let secret: Uint8Array | undefined
  return async () => {
    secret ??= await catalogue.cursorSecret()
    return secret
  }
}

/** 304 or the answer to a HEAD; undefined where the client waits for a body. Everything that could be refused must have
 *  been by then. */
export function answerWithoutBody(request: Request, headers: Record<string, string>): Response | undefined {
  const known = request.headers.get('if-none-match')
  if (known !== null && isAmong(headers['etag'] ?? '', known)) {
    const { 'content-type': _, ...kept } = headers
    return new Response(null, { status: 304, headers: kept })
  }
  // What the body's length would be is not known: http/edge-handler.ts leaves it out.
  return request.method === 'HEAD' ? new Response(null, { headers }) : undefined
}

/** `list` as in If-None-Match: tags with commas between, or `*`. The comparison is the weak one. */
export function isAmong(tag: string, list: string): boolean {
  if (list === tag) return true
  if (list.trim() === '*') return true
  const opaque = opaqueOf(tag)
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => opaqueOf(each) === opaque)
}

const opaqueOf = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag)
