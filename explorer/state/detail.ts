// With which detail the chart shows what it shows: what is copied and downloaded has the same.

import { signal } from '@preact/signals'

export type Detail = {
  /** Length of a column of the depth map, ms. */
  resolutionMs: number
  /** Length of a bucket of prices, quotes and volume, ms: a second at least. */
  bucketMs: number
  /** Height of a row, dollars. */
  priceStep: number
  /** Contracts of the first colour of the depth map, and of the last; left out of two books that are compared. */
  sizes?: { faintest: number; highest: number }
}

/** Null until the chart has been drawn. */
export const shownDetail = signal<Detail | null>(null)

/** The same of two books that are compared. */
export const comparedDetails = signal<readonly [Detail, Detail] | null>(null)
