// Encodes a level of a book as one number, and declares the callback for a level that changes.

import { ASK, BID, type Side } from './ladder.ts'

const SIDE_HEIGHTS = 2 ** 21

/** Returns one number for a level of either side. */
export const levelKey = (side: Side, height: number): number => side * SIDE_HEIGHTS + height

/** Like `levelOf`, `isAskLevel` and `heightOfLevel` read a key, but allocate no object. */
export const isAskLevel = (key: number): boolean => key >= SIDE_HEIGHTS
export const heightOfLevel = (key: number): number => (key < SIDE_HEIGHTS ? key : key - SIDE_HEIGHTS)

/** Returns the side and the height of a key. */
export const levelOf = (key: number): { side: Side; height: number } =>
  key < SIDE_HEIGHTS ? { side: BID, height: key } : { side: ASK, height: key - SIDE_HEIGHTS }

/** Compares keys: bids before asks, and within a side the better level first, which has the greater key. */
export const bestFirst = (one: number, other: number): number =>
  Number(isAskLevel(one)) - Number(isAskLevel(other)) || other - one

/** Receives a level after a change: its key, the size that was set or added, and its sizes after and before. */
export type ComparedLevel = (
  level: number,
  change: number,
  isSigned: boolean,
  sizeNow: number,
  sizeBefore: number,
) => void
