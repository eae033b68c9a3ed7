// Handles messages that seem to be about a book, but that no book can apply: messages of a Kalshi margin market or of
// an unknown form. An unreadable book is not an empty book, so these messages are stored as `other` and reported.

import { type DescribedMessage, isObject, type JsonObject } from './described-message.ts'

/** Returns why the levels of a snapshot cannot be read; undefined if they can be read. `sides` are the keys of `book`
 *  that hold levels, with undefined for a missing side. `isLevel` returns whether a level has a known form. */
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

/** Returns whether a list is empty or has at least one readable level. Levels of an unknown form are skipped. But if
 *  all levels are of an unknown form, the list is not readable. */
const isReadable = (list: unknown, isLevel: (level: unknown) => boolean): boolean =>
  Array.isArray(list) && (list.length === 0 || list.some(isLevel))

const holdsList = (value: unknown): boolean =>
  Array.isArray(value) || (isObject(value) && Object.values(value).some(holdsList))

const UNKNOWN_SIDES = 'its lists are not the sides of a book'
export const UNKNOWN_SIDE = 'its side is neither yes nor no'
export const OUTSIDE = 'a price is outside 0 to 1'

/** Returns whether a price of a message is outside 0 to 1 dollars; false if the price is not a number. */
export function isOutside(printed: unknown, mayBeCents: boolean): boolean {
  if (typeof printed !== 'string' && typeof printed !== 'number') return false
  const price = dollarsOf(String(printed), mayBeCents)
  return price < -NOISE || price > 1 + NOISE
}

/** Returns a price of a message in dollars, as a double; NaN if the price is not a number. If `mayBeCents`, a price
 *  without a decimal point is in cents. */
export const dollarsOf = (printed: string, mayBeCents: boolean): number =>
  Number(printed) / (mayBeCents && !printed.includes('.') ? 100 : 1)

/** Tolerance for rounding: a double that should be 1 may be slightly more. */
const NOISE = 1e-9

/** Returns the description of the message as kind `other`, with the reason. Marks it as singular, because one of the
 *  message's values may have decided the kind. */
export const asOther = (described: DescribedMessage, fault: string): DescribedMessage => ({
  ...described,
  ...{ kind: 'other', changes: null, levels: [], best: null, trade: null },
  isSingular: true,
  note: `stored as "other", since ${fault}`,
})
