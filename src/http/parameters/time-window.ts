// The time range of a query: a UTC date, or two inclusive bounds. Checks the parameters together, after each is valid
// by itself.

import { DAY_MS, dateStartMs, SECOND_MS } from '../../../storage/units.ts'
import { type FieldError, parametersInvalid, quoted } from '../server/request-failure.ts'
import { momentRange, unitOf } from './moment.ts'
import type { QueryText } from './venue-parameters.ts'

/** Both ends are inclusive. `given` holds the bounds in `unit`, which is `s` if both were given in seconds. `given` is
 *  null if the query has a date. */
export type TimeWindow = {
  date: string | null
  fromMs: number
  toMs: number
  unit: 'ms' | 's'
  given: { start: number; end: number } | null
}

export const BUCKETS_MAX = 1_000_000

type WindowText = Pick<QueryText, 'date' | 'start_timestamp' | 'end_timestamp'>

/** Reads exactly one of the two forms: a date, or both bounds. */
export function readWindow(query: WindowText): TimeWindow {
  const { date, start_timestamp: start, end_timestamp: end } = query
  if (date === undefined) {
    if (start === undefined && end === undefined) {
      throw parametersInvalid([
        { field: 'date', message: 'is required unless start_timestamp and end_timestamp are given' },
      ])
    }
    return readBounds(query)
  }
  if (start !== undefined || end !== undefined) {
    const message = 'cannot be combined with start_timestamp or end_timestamp'
    throw parametersInvalid([{ field: 'date', message }])
  }
  const fromMs = dateStartMs(date)
  return { date, fromMs, toMs: fromMs + DAY_MS - 1, unit: 'ms', given: null }
}

/** Reads both bounds; they must be in order, and in the same unit if both are Unix times. */
export function readBounds({ start_timestamp: startText, end_timestamp: endText }: WindowText): TimeWindow {
  const missing: FieldError[] = []
  if (startText === undefined) missing.push({ field: 'start_timestamp', message: 'is required with end_timestamp' })
  if (endText === undefined) missing.push({ field: 'end_timestamp', message: 'is required with start_timestamp' })
  if (startText === undefined || endText === undefined) throw parametersInvalid(missing)

  const [startUnit, endUnit] = [unitOf(startText), unitOf(endText)]
  if (startUnit !== endUnit && startUnit !== null && endUnit !== null) {
    const bounds = `${quoted(startText)} (${startUnit}) and ${quoted(endText)} (${endUnit})`
    const message = `must have the same unit as the other bound, got ${bounds}`
    throw parametersInvalid([
      { field: 'start_timestamp', message },
      { field: 'end_timestamp', message },
    ])
  }
  const { fromMs, toMs } = momentRange(startText, endText)
  if (fromMs > toMs) {
    const message = `must be at most end_timestamp, got ${quoted(startText)} and ${quoted(endText)}`
    throw parametersInvalid([{ field: 'start_timestamp', message }])
  }
  const isSeconds = startUnit === 'seconds' && endUnit === 'seconds'
  const given = isSeconds ? { start: Number(startText), end: Number(endText) } : { start: fromMs, end: toMs }
  return { date: null, fromMs, toMs, unit: isSeconds ? 's' : 'ms', given }
}

/** Refuses a window with too many buckets for one answer, for one book or several. */
export function assertBucketsFit({ fromMs, toMs }: TimeWindow, resolutionSeconds: number, books = 1): void {
  const count = books * countBuckets({ fromMs, toMs }, resolutionSeconds)
  if (count <= BUCKETS_MAX) return
  const [inAll, ofBooks, or] = books === 1 ? ['', '', ' or'] : [' in all', ` for ${books} books`, ', fewer books or']
  const message =
    `must give at most ${BUCKETS_MAX} buckets${inAll}, got ${quoted(String(resolutionSeconds))}, ` +
    `which gives ${count}${ofBooks}: ask for longer buckets${or} a shorter range`
  throw parametersInvalid([{ field: 'resolution', message }], 'range_too_long')
}

/** Returns the start of the bucket that contains a moment. */
export function bucketStartMs(ms: number, resolutionSeconds: number): number {
  const dayMs = Math.floor(ms / DAY_MS) * DAY_MS
  return ms - ((ms - dayMs) % (resolutionSeconds * SECOND_MS))
}

/** Counts the buckets that start in the window. Buckets align to the start of each UTC day; the last bucket of a day
 *  may be short. */
export function countBuckets({ fromMs, toMs }: { fromMs: number; toMs: number }, resolutionSeconds: number): number {
  const bucketMs = resolutionSeconds * SECOND_MS
  const dayBuckets = Math.ceil(DAY_MS / bucketMs)
  const startsBefore = (ms: number) => {
    const day = Math.floor(ms / DAY_MS)
    return day * dayBuckets + Math.ceil((ms - day * DAY_MS) / bucketMs)
  }
  return startsBefore(toMs + 1) - startsBefore(fromMs)
}
