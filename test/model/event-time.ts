// Finds event times (docs/time-and-order.md): when each message of one market in one capture happened, and how the
// capture splits into runs.

import type { CapturedMessage } from './capture.ts'
import { nsToMs } from './exact.ts'
import type { Message } from './message.ts'

const DAY_MS = 86_400_000
const EARLIEST_MS = Date.UTC(2020, 0, 1)
const RECEIVED_WITHIN_MS = 3_600_000
const STALE_BOOK_MS = 60_000
const STEP_BACK_MS = 60_000
const NEXT_WITHIN_MS = 60_000

export type TimedRecord = Message & {
  timestamp: number
  /** Whether this is a snapshot without a venue time, and the next record has the same event time. The two must stay
   *  next to each other. */
  isBeforeNext: boolean
  /** Set on the last record of a quote if it is known whether the venue's hash agrees with the book. */
  hashOutcome?: 'agrees' | 'contradicts'
}
export type MarketTimes = { runs: TimedRecord[][]; timeless: CapturedMessage[] }

export const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Returns whether the venue and the recorder agree on a time more than a day ahead of this machine's clock. */
export function isClockWrong(messages: Message[], nowMs: number): boolean {
  return messages.some(({ venueNs, receivedAt, givenMs }) => {
    if (venueNs === undefined || receivedAt === null || givenMs !== undefined) return false
    const time = nsToMs(venueNs)
    return time > nowMs + DAY_MS && Math.abs(time - receivedAt) <= RECEIVED_WITHIN_MS
  })
}

/** Returns whether the recorder's clock is in another time zone: at least three changes and trades have both times,
 *  and all of these differ by the same number of quarters of an hour, four or more. */
export function isZoneWrong(messages: Message[]): boolean {
  const apart = messages.flatMap(({ venueNs, receivedAt, givenMs, type }) => {
    const isTimely = (type === 'delta' || type === 'trade') && givenMs === undefined
    return isTimely && venueNs !== undefined && receivedAt !== null ? [receivedAt - nsToMs(venueNs)] : []
  })
  const quarters = apart.map((ms) => Math.round(ms / QUARTER_MS))
  const isZone = (ms: number, i: number) =>
    quarters[i] === quarters[0] &&
    Math.abs(quarters[i]!) >= 4 &&
    Math.abs(ms) <= 14 * 4 * QUARTER_MS + 60_000 &&
    Math.abs(ms - quarters[i]! * QUARTER_MS) <= 60_000
  return apart.length >= 3 && apart.every(isZone)
}

const QUARTER_MS = 15 * 60_000

/** Splits one market's messages of a capture, in the order of the capture, into runs with event times. */
export function timeMessages(messages: CapturedMessage[], nowMs: number): MarketTimes {
  const times = ownTimes(messages, nowMs)
  const runs: TimedRecord[][] = []
  const timeless: CapturedMessage[] = []
  let maximum: number | undefined
  messages.forEach((message, index) => {
    const time = times[index] ?? maximum
    if (time === undefined) {
      timeless.push(message)
      return
    }
    if (maximum === undefined || time < maximum - STEP_BACK_MS) {
      runs.push([])
      maximum = time
    }
    maximum = Math.max(maximum, time)
    runs.at(-1)!.push({ ...message, timestamp: maximum, isBeforeNext: false })
  })
  for (const run of runs) markSnapshotsBeforeNext(run)
  return { runs, timeless }
}

/** Applies rule 1: returns the venue's time in ms if it is plausible, else undefined. */
function believedTime(message: Message, nowMs: number): number | undefined {
  if (message.givenMs !== undefined) return message.givenMs
  if (message.venueNs === undefined) return undefined
  const time = nsToMs(message.venueNs)
  if (time < EARLIEST_MS || time > nowMs + DAY_MS) return undefined
  if (message.receivedAt === null) return time
  if (message.type !== 'snapshot') {
    return Math.abs(time - message.receivedAt) <= RECEIVED_WITHIN_MS ? time : undefined
  }
  const isStale = message.venue === 'polymarket' && time < message.receivedAt - STALE_BOOK_MS
  return isStale ? undefined : time
}

/** Returns whether the record's event time is always the venue's own time, whenever the record is loaded. */
export function isVenueTime(message: Message): boolean {
  const { receivedAt } = message
  return believedTime({ ...message, givenMs: undefined }, receivedAt ?? Number.POSITIVE_INFINITY) !== undefined
}

/** Applies rules 1 and 2 from the end of the capture. A time is undefined if neither the message nor a later one has a
 *  time. */
function ownTimes(messages: Message[], nowMs: number): (number | undefined)[] {
  const times: (number | undefined)[] = []
  let nextBelieved: number | undefined
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    const believed = believedTime(message, nowMs)
    times[index] = believed ?? inferredTime(message.receivedAt, nextBelieved, times[index + 1])
    nextBelieved = believed ?? nextBelieved
  }
  return times
}

/** Applies rule 2. `nextBelieved` is the next venue time that rule 1 accepts; `next` is the time of the next record. */
function inferredTime(receivedAt: number | null, nextBelieved: number | undefined, next: number | undefined) {
  if (receivedAt === null) return next
  const isNear = nextBelieved !== undefined && receivedAt - nextBelieved <= NEXT_WITHIN_MS
  return isNear ? Math.min(receivedAt, nextBelieved) : receivedAt
}

function markSnapshotsBeforeNext(run: TimedRecord[]): void {
  run.forEach((record, index) => {
    record.isBeforeNext = isUntimedSnapshot(record) && run[index + 1]?.timestamp === record.timestamp
  })
}

export function isUntimedSnapshot({ type, venueNs }: Message): boolean {
  return type === 'snapshot' && venueNs === undefined
}
