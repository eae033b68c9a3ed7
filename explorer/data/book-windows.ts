// The caches of a book's windows: their names, and the requests that load them.

import type { BookId } from '../state/view.ts'
import { AnswerCache, type Entry } from './answer-cache.ts'
import { ask } from './ask.ts'
import { bookQuery, bookText, marketPath, type Query } from './book-query.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'
import { ArrowTable } from './columns/arrow.ts'

const MS_PER_SECOND = 1_000

type Renew = (matches: (name: string) => boolean) => void
const renewals: Renew[] = []

type Kind<Wanted, T> = {
  bytesMax: number
  bytesOf: (value: T) => number
  /** Returns the name of a window in the cache. The name must begin with the result of `windowName`. */
  nameOf: (book: BookId, wanted: Wanted) => string
  load: (book: BookId, wanted: Wanted, signal: AbortSignal) => Promise<T>
}

/** Creates a cache for windows of one kind; each window is requested once. */
export function cachedWindows<Wanted, T>({ bytesMax, bytesOf, nameOf, load }: Kind<Wanted, T>) {
  const cache = new AnswerCache<T>(bytesMax, bytesOf)
  renewals.push((matches) => cache.renew(matches))
  return {
    take: (book: BookId, wanted: Wanted): Entry<T> =>
      cache.take(nameOf(book, wanted), (signal) => load(book, wanted, signal)),
    /** Sets the windows that `owner` wants from now on. Cancels requests for windows that it no longer wants. */
    want: (owner: object, book: BookId, all: readonly Wanted[]): void =>
      cache.want(owner, new Set(all.map((wanted) => nameOf(book, wanted)))),
    /** Returns all loaded windows of a book, with their names. */
    there: (book: BookId) => [...cache.startingWith(`${bookText(book)} `)],
  }
}

/** Marks all windows with matching names as stale. */
export const renewWindows: Renew = (matches) => {
  for (const renew of renewals) renew(matches)
}

export const windowName = (book: BookId, { startMs, resolutionMs }: TimeWindow): string =>
  `${bookText(book)} ${startMs} ${resolutionMs}`

/** Requests a window and resolves to the bytes of an Arrow stream. `path` is the part after `market/`. */
export async function askWindow(
  book: BookId,
  path: string,
  { startMs, endMs }: TimeWindow,
  query: Query,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bounds = { start_timestamp: startMs, end_timestamp: endMs - 1 }
  const requested = { ...bookQuery(book), ...bounds, ...query, format: 'arrow' }
  return new Uint8Array(await (await ask(marketPath(book, path), requested, signal)).arrayBuffer())
}

/** Requests the buckets of a window and resolves to columns, with NaN for null. The API has no buckets shorter than a
 *  second: for a finer resolution this returns buckets of a second. */
export async function askBuckets<Column extends string>(
  book: BookId,
  path: string,
  window: TimeWindow,
  names: readonly Column[],
  signal: AbortSignal,
  more: Query = {},
): Promise<{ rows: number; columns: Record<Column, Float64Array> }> {
  const resolution = Math.max(1, window.resolutionMs / MS_PER_SECOND)
  const query = { resolution, columns: names.join(','), ...more }
  const table = new ArrowTable(await askWindow(book, path, window, query, signal))
  const columns = Object.fromEntries(names.map((name) => [name, table.numbers(name)]))
  return { rows: table.rows, columns: columns as Record<Column, Float64Array> }
}
