// A level of a book as one number, and who looks at one that changes.

import { ASK, BID, type Side } from './ladder.ts'

const SIDE_HEIGHTS = 2 ** 21

/** One number for a level of either side. */
export const levelKey = (side: Side, height: number): number => side * SIDE_HEIGHTS + height

/** Where nothing is made for each level. */
export const isAskLevel = (key: number): boolean => key >= SIDE_HEIGHTS
export const heightOfLevel = (key: number): number => (key < SIDE_HEIGHTS ? key : key - SIDE_HEIGHTS)

/** The level of a key, and its side. */
export const levelOf = (key: number): { side: Side; height: number } =>
  key < SIDE_HEIGHTS ? { side: BID, height: key } : { side: ASK, height: key - SIDE_HEIGHTS }

/** Bids, then asks: of each side the greater key is the better level. */
export const bestFirst = (one: number, other: number): number =>
  Number(isAskLevel(one)) - Number(isAskLevel(other)) || other - one

/** A level that was applied: its key, the size that was set or added, and the sizes there. */
export type ComparedLevel = (
  level: number,
  change: number,
  isSigned: boolean,
  sizeNow: number,
  sizeBefore: number,
) => void
