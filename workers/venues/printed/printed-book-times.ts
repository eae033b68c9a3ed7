// Prints and reads the `BookTimes` of a book on a date: a line of an export, which is loaded again with the records.
// `{"backbook": "heard", "market": …, "date": …, "recorder"?: …, "source"?: …, "book": …, "snapshots": […],
// "goes_on": …, "gaps": […], "last_change": …}`. Times are event times, Unix ms.

import type { BookTimes } from '../../../storage/format/partition-head.ts'
import type { JsonObject } from '../described-message.ts'

export const PRINTED_BOOK_TIMES = 'heard'

/** `source` is undefined for the user's own records. */
export type PrintedBookTimes = { market: string; date: string; source: string | undefined; heard: BookTimes }

export function printBookTimes({ market, date, source, heard }: PrintedBookTimes): string {
  const { recorder, book, snapshotsMs, goesOnMs, gapsMs, lastChangeMs } = heard
  const times = { snapshots: snapshotsMs, goes_on: goesOnMs, gaps: gapsMs, last_change: lastChangeMs }
  return `${JSON.stringify({ backbook: PRINTED_BOOK_TIMES, market, date, recorder, source, book, ...times })}\n`
}

/** Returns the content of a line; undefined if the line is not valid. */
export function readBookTimes(value: JsonObject, source: string | undefined): PrintedBookTimes | undefined {
  const { market, date, recorder, book, snapshots, goes_on: goesOn, gaps, last_change: lastChange } = value
  if (typeof market !== 'string' || typeof date !== 'string') return undefined
  if ((recorder !== undefined && typeof recorder !== 'string') || (book !== null && typeof book !== 'string')) {
    return undefined
  }
  if (!areTimes(snapshots) || !areTimes(gaps) || !isTimeOrNull(goesOn) || !isTimeOrNull(lastChange)) return undefined
  const times = { snapshotsMs: snapshots, goesOnMs: goesOn, gapsMs: gaps, lastChangeMs: lastChange }
  return { market, date, source, heard: { ...(recorder !== undefined && { recorder }), book, ...times } }
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isTimeOrNull = (value: unknown): value is number | null => value === null || isTime(value)
const areTimes = (value: unknown): value is number[] => Array.isArray(value) && value.every(isTime)
