// A moment as all endpoints, commands and tools accept it: a Unix time, an RFC 3339 time with its zone, or a UTC date.

import { DAY_MS, dateStartMs, SECOND_MS } from '../../../storage/units.ts'
import { isUtcDay, type Parameter, parameter } from './parameter.ts'

/** The last millisecond of the year 9999: later dates cannot be written as YYYY-MM-DD. */
const TIMESTAMP_MAX = 253_402_300_799_999
/** A Unix time below SECONDS_BELOW is in seconds, and one below MILLISECONDS_BELOW in milliseconds. A larger number
 *  is in microseconds. */
const SECONDS_BELOW = 1e11
const MILLISECONDS_BELOW = 1e14
const UNIX_TIME = /^[0-9]{1,18}$/
/** Requires a zone: a time without one would be read in the server's zone. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** True for a valid RFC 3339 time. The day must exist: the runtime would read 30 February as a day in March. The year
 *  in UTC must have four digits: the text of a later year begins with +, and would sort before all other times. */
export const isZonedTime = (text: string) =>
  RFC_3339.test(text) && isUtcDay(text.slice(0, 10)) && Date.parse(text) >= 0 && Date.parse(text) <= TIMESTAMP_MAX

export function moment(
  description: string,
  words: { example?: string | number } = { example: '2026-11-21' },
): Parameter {
  return parameter({
    accepts:
      'Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, ' +
      'or a date, of the years 1970 to 9999 in UTC',
    matches: (text) => (UNIX_TIME.test(text) ? unixMs(text) <= TIMESTAMP_MAX : isZonedTime(text) || isUtcDay(text)),
    oneOf: [{ type: 'integer' }, { type: 'string' }],
    description,
    ...words,
  })
}

/** Returns the unit of a Unix time; null for a time or date in RFC 3339 form. */
export function unitOf(text: string): 'seconds' | 'milliseconds' | 'microseconds' | null {
  if (!UNIX_TIME.test(text)) return null
  if (Number(text) < SECONDS_BELOW) return 'seconds'
  return Number(text) < MILLISECONDS_BELOW ? 'milliseconds' : 'microseconds'
}

/** Returns the first and the last ms of the range between two moments, both inclusive. An end that is a date covers
 *  the whole day, and an end in whole seconds the whole second. Digits below 1 ms are cut off. */
export function momentRange(start: string, end: string): { fromMs: number; toMs: number } {
  const endMs = momentMs(end)
  return { fromMs: momentMs(start), toMs: endMs + spanMs(end) - 1 }
}

/** Returns a Unix time as a number, any other text unchanged. */
export const asGiven = (text: string) => (UNIX_TIME.test(text) ? Number(text) : text)

/** Returns the first ms of a moment. */
export function momentMs(text: string): number {
  if (UNIX_TIME.test(text)) return unixMs(text)
  return isUtcDay(text) ? dateStartMs(text) : Date.parse(text)
}

function spanMs(text: string): number {
  if (isUtcDay(text)) return DAY_MS
  const unit = unitOf(text)
  return unit === 'seconds' || (unit === null && !text.includes('.')) ? SECOND_MS : 1
}

function unixMs(text: string): number {
  const unit = unitOf(text)
  // A number of microseconds may have more digits than a double can hold.
  if (unit === 'microseconds') return Number(text.slice(0, -'000'.length))
  return unit === 'seconds' ? Number(text) * SECOND_MS : Number(text)
}
