// What a market is called: enough to tell those of a series apart, and what became of it.

import type { KalshiMarketInfo as MarketInfo } from '../../src/client/backbook.d.ts'
import { instantText, zoneText } from '../state/time-text.ts'
import type { BookId } from '../state/view.ts'

type Named = Pick<MarketInfo, 'title' | 'subtitle' | 'outcomes'>

/** Its question, with what sets it apart from the other markets of its event. */
export function titleOf({ venue, market }: BookId, info: Named | null): string {
  if (info?.title == null) return market
  // Kalshi says the strike beside YES.
  const apart = info.subtitle ?? (venue === 'kalshi' ? info.outcomes[0]?.title : null) ?? null
  return apart === null || isPart(apart, info.title) ? info.title : `${info.title} ${apart}`
}

const isPart = (text: string, of: string): boolean => of.toLowerCase().includes(text.toLowerCase())

/** The time that its event is about, as the venue writes it: `Aug 10 - 7:45PM EDT to 8:00PM EDT`. */
export function eventTime({ said }: Pick<MarketInfo, 'said'>): string | null {
  const text = said?.event?.['sub_title']
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

/** `settled: Yes, 2026-08-11 00:00:05.459 UTC`; null where it is not settled. */
export function settledText(
  { result, settlement_timestamp: ms }: Pick<MarketInfo, 'result' | 'settlement_timestamp'>,
  zone: string,
): string | null {
  if (result === null) return null
  const outcome = result.charAt(0).toUpperCase() + result.slice(1)
  return ms === null ? `settled: ${outcome}` : `settled: ${outcome}, ${instantText(ms, zone)} ${zoneText(zone, ms)}`
}
