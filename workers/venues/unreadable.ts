// Messages that look like those of a book, and are of none that can be held: a margin market of Kalshi, or a form that
// is not known yet. A book that cannot be read is no empty book, so they are kept as `other`, and reported.

import { type DescribedMessage, isObject, type JsonObject } from './described-message.ts'

/** Why the levels of a snapshot cannot be read; undefined where they can. `sides` are the keys of `book` that hold
 *  levels, undefined where a side is absent; `isLevel` says whether a level has the form that is known. */
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

/** Levels of another form are skipped, unless all are. */
const isReadable = (list: unknown, isLevel: (level: unknown) => boolean): boolean =>
  Array.isArray(list) && (list.length === 0 || list.some(isLevel))

const holdsList = (value: unknown): boolean =>
  Array.isArray(value) || (isObject(value) && Object.values(value).some(holdsList))

const UNKNOWN_SIDES = 'its lists are no known sides of a book'
export const UNKNOWN_SIDE = 'its side is neither yes nor no'
export const OUTSIDE = 'a price is outside 0 to 1'

/** Whether a printed price is outside 0 to 1; what is no number is not. */
export function isOutside(printed: unknown, mayBeCents: boolean): boolean {
  if (typeof printed !== 'string' && typeof printed !== 'number') return false
  const price = dollarsOf(String(printed), mayBeCents)
  return price < -NOISE || price > 1 + NOISE
}

/** A printed price, as a double; NaN for what is no number. Cents are printed without a point. */
export const dollarsOf = (printed: string, mayBeCents: boolean): number =>
  Number(printed) / (mayBeCents && !printed.includes('.') ? 100 : 1)

/** A double that is meant to be 1 may be a little more. */
const NOISE = 1e-9

/** The same message as no more than that it was sent. A value of it may have decided so. */
export const asOther = (described: DescribedMessage, fault: string): DescribedMessage => ({
  ...described,
  ...{ kind: 'other', changes: null, levels: [], best: null, trade: null },
  isSingular: true,
  note: `kept as "other", since ${fault}`,
})
