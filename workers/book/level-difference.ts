// Lists the levels of a book by their keys, and finds the levels in which two states of a book differ.

import { ASK, BID } from './ladder.ts'
import { type ComparedLevel, levelKey } from './level-key.ts'
import type { OrderBook } from './order-book.ts'

export type DifferingLevel = [level: number, sizeBefore: number]

/** Returns the sizes of all levels by their keys: bids, then asks, the best first. */
export function levelsOf(book: OrderBook): Map<number, number> {
  const levels = new Map<number, number>()
  for (const side of [BID, ASK] as const) {
    for (const [height, size] of book.levels(side)) levels.set(levelKey(side, height), size)
  }
  return levels
}

export function difference(one: Map<number, number>, other: Map<number, number>): DifferingLevel[] {
  const levels = new Set([...one.keys(), ...other.keys()])
  return [...levels].flatMap((level): DifferingLevel[] =>
    one.get(level) === other.get(level) ? [] : [[level, one.get(level) ?? 0]],
  )
}

/** Returns the levels in which two states differ after the same change of one level in both. `sizeNow` is the size of
 *  the level in the later state. */
export function differenceAfter(
  differing: DifferingLevel[],
  ...[level, change, isSigned, sizeNow]: Parameters<ComparedLevel>
): DifferingLevel[] {
  const changed = (before: number) => (isSigned ? Math.max(0, before + change) : sizeNow)
  return differing.flatMap(([other, before]): DifferingLevel[] => {
    if (other !== level) return [[other, before]]
    return changed(before) === sizeNow ? [] : [[other, changed(before)]]
  })
}
