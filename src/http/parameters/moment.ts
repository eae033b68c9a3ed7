// A moment as the management endpoints take it: a Unix time, an RFC 3339 time with its zone, or a date of UTC.

import { DAY_MS, dateStartMs, SECOND_MS } from '../../../storage/units.ts'
import { isUtcDay, type Parameter, parameter } from './parameter.ts'
import { SECONDS_BELOW } from './time-window.ts'
import { TIMESTAMP_MAX } from './venue-parameters.ts'

/** None is of a later year than 5138. */
const UNIX_TIME = /^[0-9]{1,14}$/
/** A time without a zone would be read as the server's. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The day must be one that exists: the runtime would take the 30th of February for a day in March. Its year in UTC is
 *  one of four digits: the text of a later one begins with +, and would be sorted before all other times. */
export const isZonedTime = (text: string) =>
  RFC_3339.test(text) && isUtcDay(text.slice(0, 10)) && Date.parse(text) >= 0 && Date.parse(text) <= TIMESTAMP_MAX

export function moment(description: string): Parameter {
  return parameter({
    accepts:
      'Unix seconds (below 1e11) or milliseconds, a time such as 2026-11-21T13:00:00Z, or a date, ' +
      'of the years 1970 to 9999 in UTC',
    matches: (text) => UNIX_TIME.test(text) || isZonedTime(text) || isUtcDay(text),
    description,
    example: '2026-11-21',
  })
}

/** The first and the last ms that two such texts mean, both inclusive: a second or a day is all of itself. */
export function momentRange(start: string, end: string): { fromMs: number; toMs: number } {
  const endMs = momentMs(end)
  return { fromMs: momentMs(start), toMs: endMs + spanMs(end) - 1 }
}

/** As a client gave it: a Unix time is a number. */
export const asGiven = (text: string) => (UNIX_TIME.test(text) ? Number(text) : text)

function momentMs(text: string): number {
  if (UNIX_TIME.test(text)) return unixMs(text)
  return isUtcDay(text) ? dateStartMs(text) : Date.parse(text)
}

function spanMs(text: string): number {
  if (UNIX_TIME.test(text)) return Number(text) < SECONDS_BELOW ? SECOND_MS : 1
  return isUtcDay(text) ? DAY_MS : 1
}

const unixMs = (text: string) => (Number(text) < SECONDS_BELOW ? Number(text) * SECOND_MS : Number(text))
