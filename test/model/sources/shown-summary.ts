// Computes the order-book summary of a book over the records shown.
//
// Where the contract leaves room: a switch of sources changes the best prices, but it is not a quote, so it does not
// make a book known. A book becomes known at its first quote, or at the start of the range if the layer of the first
// span has an opening book. It stays known after the range if the layer that the next date shows first has an opening
// book.

import { EMPTY_TOP } from '../book.ts'
import { type Bucket, printBucket } from '../buckets.ts'
import { dateOf } from '../event-time.ts'
import { hasOpeningBook } from '../quotes.ts'
import { type BucketsRequest, emittedBuckets, instantsOf, knownIn, type LoadedRange, rangeOf } from '../summary.ts'
import type { Layer } from './layer.ts'
import { changesOfPieces, piecesOf } from './pieces.ts'
import type { ShownDate } from './shown.ts'
import { type AnyTrust, worstShownTrust } from './shown-trust.ts'

export type ShownSummaryRequest = BucketsRequest & { trust?: readonly string[] | undefined }
export type ShownBucket = Bucket & { trust: AnyTrust }

export function summarizeShown(
  layers: Layer[],
  dates: ShownDate[],
  book: string,
  request: ShownSummaryRequest,
): ShownBucket[] {
  const range = rangeOf(request)
  const isLoaded = (date: string) => date >= dateOf(range.start) && date <= dateOf(range.end)
  const partitions = dates.filter(({ date }) => isLoaded(date)).map(({ date }) => ({ date, records: [] }))
  const first = dates.findIndex(({ date }) => isLoaded(date))
  if (first < 0) return []
  const replayed = changesOfPieces(piecesOf(dates, book))
  const changes = replayed.flatMap((each) => (isLoaded(each.piece.date) ? each.changes : []))
  const earlier = replayed.flatMap((each) => (each.piece.date < dates[first]!.date ? each.changes : []))
  const isKnownAtStart = hasShownOpeningBook(layers, dates[first], book)
  const isContinued = hasShownOpeningBook(layers, dates[first + partitions.length], book)
  const loaded: Pick<LoadedRange, 'range' | 'partitions' | 'top' | 'changes' | 'known'> = {
    ...{ range, partitions, changes },
    top: earlier.at(-1)?.top ?? EMPTY_TOP,
    known: knownIn(changes, range, isKnownAtStart, isContinued, request),
  }
  const worst = worstShownTrust(
    layers,
    replayed.filter(({ piece }) => isLoaded(piece.date)),
    book,
  )
  return emittedBuckets(loaded, request)
    .map((bucket) => ({ ...printBucket(bucket, range.unitMs), trust: worst(...instantsOf(bucket, loaded)) }))
    .filter(({ trust }) => request.trust?.includes(trust) ?? true)
}

/** Returns whether the layer that a date shows first continues an established book. */
function hasShownOpeningBook(layers: Layer[], shown: ShownDate | undefined, book: string): boolean {
  const layer = layers.find(({ source }) => source === shown?.spans[0]?.source)
  if (shown === undefined || layer === undefined) return false
  const index = layer.partitions.findIndex(({ date }) => date === shown.date)
  return index >= 0 && hasOpeningBook(layer.partitions, index, book)
}
