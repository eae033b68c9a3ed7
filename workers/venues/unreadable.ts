// Handles messages that look like a book's but cannot be applied to one: those of a Kalshi margin market, or of an
// unknown form. An unreadable book is not an empty book, so they are stored as `other`, and reported.

import { type DescribedMessage, isObject, type JsonObject } from './described-message.ts'

/** Returns why the levels of a snapshot cannot be read; undefined if they can. `sides` are the keys of `book` that hold
 *  levels, undefined for a missing side. `isLevel` returns whether a level has a known form. */
export function bookFault(
  book: JsonObject,
  sides: (string | undefined)[],
  isKnownKey: (key: string) => boolean,
  isLevel: (level: unknown) => boolean,
): string | undefined {
  if (sides.some((key) => key !== undefined && !isReadable(book[key], isLevel))) return UNKNOWN_SIDES
  const isUnknown = (key: string) => !isKnownKey(key) && holdsList(book[key])
  return sides.includes(undefined) && Object.keys(book).some(isUnknown) ? UNKNOWN_SIDES : undefined
}

/** Returns whether a list is empty or has at least one readable level. Levels of another form are skipped, unless all
 *  are of another form. */
const isReadable = (list: unknown, isLevel: (level: unknown) => boolean): boolean =>
  Array.isArray(list) && (list.length === 0 || list.some(isLevel))

const holdsList = (value: unknown): boolean =>
  Array.isArray(value) || (isObject(value) && Object.values(value).some(holdsList))

const UNKNOWN_SIDES = 'its lists are no known sides of a book'
export const UNKNOWN_SIDE = 'its side is neither yes nor no'
export const OUTSIDE = 'a price is outside 0 to 1'

/** Returns whether a printed price is outside 0 to 1; false if it is not a number. */
export function isOutside(printed: unknown, mayBeCents: boolean): boolean {
  if (typeof printed !== 'string' && typeof printed !== 'number') return false
  const price = dollarsOf(String(printed), mayBeCents)
  return price < -NOISE || price > 1 + NOISE
}

/** Returns a printed price in dollars, as a double; NaN if it is not a number. Cents are printed without a decimal
 *  point. */
export const dollarsOf = (printed: string, mayBeCents: boolean): number =>
  Number(printed) / (mayBeCents && !printed.includes('.') ? 100 : 1)

/** A double that should be 1 may be slightly more. */
const NOISE = 1e-9

/** Returns the description of the message as kind `other`, with the reason. One of its values may have decided that. */
export const asOther = (described: DescribedMessage, fault: string): DescribedMessage => ({
  ...described,
  ...{ kind: 'other', changes: null, levels: [], best: null, trade: null },
  isSingular: true,
  note: `kept as "other", since ${fault}`,
})
