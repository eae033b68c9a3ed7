// Finds holes in the sequence numbers of Kalshi's subscriptions within one capture (docs/books.md).

import type { CapturedMessage } from '../capture.ts'
import { dateOf, type MarketTimes, type TimedRecord } from '../event-time.ts'

export type SequenceHole = { date: string; fromMs: number }

/** Returns the holes of one market. `all` has the messages of the capture, `ofMarket` those of the market. */
export function holesOf(
  all: CapturedMessage[],
  ofMarket: CapturedMessage[],
  { runs, timeless }: MarketTimes,
): SequenceHole[] {
  const timed = runs.flat()
  const places = ofMarket.filter((message) => !timeless.includes(message)).map((message) => all.indexOf(message))
  const holes: SequenceHole[] = []
  for (const { sid, place } of lostNumbers(all)) {
    const before = timed.filter((_, i) => places[i]! < place)
    const next = timed[before.length]
    const last = before.at(-1)
    if (last === undefined || before.findLast(isOfSubscription)?.sid !== sid) continue
    const date = dateOf(all[place]!.receivedAt ?? next?.timestamp ?? last.timestamp)
    if (!timed.some(({ timestamp }) => dateOf(timestamp) === date)) continue
    holes.push({ date, fromMs: Math.max(last.timestamp, Date.parse(date)) })
  }
  return holes
}

const isOfSubscription = ({ type, sid, givenMs }: TimedRecord) =>
  (type === 'snapshot' || type === 'delta') && sid !== null && givenMs === undefined

/** Returns the places of messages before which messages of their subscription are missing. A subscription counts only
 *  if at least 99 of 100 of its numbers increase by 1. */
function lostNumbers(all: CapturedMessage[]): { sid: number; place: number }[] {
  const places = all.flatMap(({ venue, sid, seq, givenMs }, place) =>
    venue === 'kalshi' && sid !== null && seq !== null && givenMs === undefined ? [{ sid, seq, place }] : [],
  )
  return [...Map.groupBy(places, ({ sid }) => sid).values()].flatMap((ofSid) => {
    const steps = ofSid.slice(1).map(({ seq, place, sid }, i) => ({ sid, place, step: seq - ofSid[i]!.seq }))
    const byOne = steps.filter(({ step }) => step === 1).length
    return byOne / steps.length >= 0.99 ? steps.filter(({ step }) => step > 1) : []
  })
}
