// The level of detail of the chart. Copies and downloads use the same level.

import { signal } from '@preact/signals'

export type Detail = {
  /** Length of a column of the depth map, ms. */
  resolutionMs: number
  /** Length of a bucket of prices, quotes and volume, ms; at least a second. */
  bucketMs: number
  /** Height of a row, dollars. */
  priceStep: number
  /** Sizes of the first and the last colour of the depth map, contracts; undefined if two books are compared. */
  sizes?: { faintest: number; highest: number }
}

/** The detail of the visible chart; null until it has been drawn. */
export const shownDetail = signal<Detail | null>(null)

/** The details of two compared books; null if none are drawn. */
export const comparedDetails = signal<readonly [Detail, Detail] | null>(null)
