// Reads a venue's REST responses without trusting the types in their JSON. Reads lists page by page with a cursor. A
// repeated page or cursor is an error, because entries of the list may then be missing.

import { isObject, type JsonObject } from '../../../workers/venues/described-message.ts'
import type { RestAnswer, RestHost } from '../rest/rest-host.ts'

type PageRequest = {
  /** Path without a cursor, such as /markets/keyset?limit=100. */
  path: string
  /** Key of the list in the response. */
  list: string
  /** Name of the cursor in the response (`received`), and in the next request (`sent`). */
  cursor: { received: string; sent: string }
  /** Returns the name of an entry. Repeated pages are recognised by these names. */
  nameOf: (entry: JsonObject) => string
  signal: AbortSignal
}
export type Page = { entries: JsonObject[]; body: string; receivedNs: bigint }

/** Thrown if a list repeats itself, so that it cannot be read to its end. */
export class CircleError extends Error {
  override readonly name = 'CircleError'
}

/** The cursor that some of Polymarket's lists send with the last page. */
const END = 'LTE='

/** Yields the pages of a list. Throws RestError and CircleError. */
export async function* pagesOf(host: RestHost, request: PageRequest): AsyncGenerator<Page> {
  const { path, cursor, nameOf, signal } = request
  const names = new Set<string>()
  const cursors = new Set<string>()
  let next = ''
  do {
    const separator = path.includes('?') ? '&' : '?'
    const paged = next === '' ? path : `${path}${separator}${cursor.sent}=${encodeURIComponent(next)}`
    const { read, body, receivedNs } = await askPage(host, { ...request, path: paged })
    const before = names.size
    for (const entry of read.entries) names.add(nameOf(entry))
    if (read.entries.length > 0 && names.size === before) throw circle(path, 'a page was repeated')
    if (cursors.has(read.next)) throw circle(path, 'a cursor was repeated')
    if (read.next !== '') cursors.add(read.next)
    next = read.next
    yield { entries: read.entries, body, receivedNs }
  } while (next !== '' && !signal.aborted)
}

const circle = (path: string, what: string) => new CircleError(`GET ${path.replace(/\?.*$/s, '')}: ${what}`)

function askPage(
  host: RestHost,
  { path, list, cursor, signal }: PageRequest,
): Promise<RestAnswer<{ entries: JsonObject[]; next: string }>> {
  const read = (json: unknown) => {
    const page = isObject(json) ? json : {}
    const entries = page[list]
    const next = page[cursor.received] ?? ''
    if (!Array.isArray(entries) || !entries.every(isObject) || typeof next !== 'string') return undefined
    return { entries, next: next === END ? '' : next }
  }
  return host.get({ path, read, signal })
}

export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Returns the values that the objects have under a key. Leaves out values that are not strings. */
export const textsUnder = (objects: readonly JsonObject[], key: string): string[] =>
  objects.map((each) => each[key]).filter((value) => typeof value === 'string')

/** Returns a hash that is equal for values with the same JSON text. */
export const fingerprint = (values: readonly unknown[]): string => Bun.hash(JSON.stringify(values)).toString(36)
