// Entity tags, and the answers that need no body: 304 to a client that has the answer already (RFC 9110, section 13),
// and HEAD. A tag is made from what an answer follows from, never from the answer: so both cost no computation.

import { createHash } from 'node:crypto'
import type { Catalogue } from '../../../storage/catalogue.ts'
import { VERSION } from '../../version.ts'
import { ASK_AGAIN, type Freshness } from './freshness.ts'

/** What a client may keep an answer by. */
export type Validators = { etag: string; freshness: Freshness }

/** Weak: the same answer in another encoding is the same to everybody who asks. */
export type TagOf = (parts: readonly unknown[]) => string

/** `parts` is everything that answers at one address follow from, apart from the program and the store, which are part
 *  of every tag: two stores may count their revisions alike. */
export function tagsOf(catalogue: Pick<Catalogue, 'cursorSecret'>): TagOf {
  // Hashed by itself: the secret must not be found from tags.
  const store = createHash('sha256').update(catalogue.cursorSecret()).digest('hex').slice(0, 16)
  return (parts) => `W/"${Bun.hash(JSON.stringify([VERSION, store, parts])).toString(36)}"`
}

/** 304 or the answer to a HEAD; undefined where the client waits for a body. Everything that could be refused must have
 *  been by then. */
export function answerWithoutBody(request: Request, headers: Record<string, string>): Response | undefined {
  const known = request.headers.get('if-none-match')
  if (known !== null && isAmong(headers['etag'] ?? '', known)) {
    const { 'content-type': _, ...kept } = headers
    return new Response(null, { status: 304, headers: kept })
  }
  // What the body's length would be is not known: http/edge-handler.ts says nothing of it.
  return request.method === 'HEAD' ? new Response(null, { headers }) : undefined
}

// Made once: headers cost less when they are copied than when they are read out of an object.
const SMALL = {
  headers: new Headers({
    'content-type': 'application/json',
    'cache-control': ASK_AGAIN,
    'x-content-type-options': 'nosniff',
  }),
}
const NOT_MODIFIED = { status: 304, headers: { 'cache-control': ASK_AGAIN } }

/** A small answer that clients have to ask for each time, made only where somebody reads it. The caller puts the tag on
 *  it: the framework would take a handler that returns this call, or that the runtime makes so, for one that waits. */
export function smallAnswer(request: Request, etag: string, answer: () => object): Response {
  const known = request.headers.get('if-none-match')
  if (known !== null && isAmong(etag, known)) return new Response(null, NOT_MODIFIED)
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(answer()), SMALL)
}

/** `list` as in If-None-Match: tags with commas between, or `*`. The comparison is the weak one. */
export function isAmong(tag: string, list: string): boolean {
  if (list === tag) return true
  if (list.trim() === '*') return true
  const opaque = opaqueOf(tag)
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => opaqueOf(each) === opaque)
}

const opaqueOf = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag)
