// The texts that describe a market: its title, event time, strike, address at the venue, and result.

import type { KalshiMarketInfo as MarketInfo } from '../../src/client/backbook.d.ts'
import { instantText, zoneText } from '../state/time-text.ts'
import type { BookId } from '../state/view.ts'
import type { Named } from '../venues/shown-venue.ts'
import { SHOWN } from '../venues.ts'

type Titled = Pick<MarketInfo, 'title' | 'subtitle' | 'outcomes'>

/** Returns the market's question, with the text that distinguishes the market from others of its event. */
export function titleOf({ venue, market }: BookId, info: Titled | null): string {
  if (info?.title == null) return market
  // If the venue has no asset ids, the first outcome is YES, and its title is the strike.
  const apart = info.subtitle ?? (SHOWN[venue].hasAssets ? null : info.outcomes[0]?.title) ?? null
  return apart === null || isPart(apart, info.title) ? info.title : `${info.title} ${apart}`
}

const isPart = (text: string, of: string): boolean => of.toLowerCase().includes(text.toLowerCase())

/** Returns the time of the market's event as the venue writes it, such as `Aug 10 - 7:45PM EDT to 8:00PM EDT`; null if
 *  unknown. */
export function eventTime({ said }: Pick<MarketInfo, 'said'>): string | null {
  const text = said?.event?.['sub_title']
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

const SIGNS: Record<string, string> = {
  greater: '>',
  greater_or_equal: '≥',
  less: '<',
  less_or_equal: '≤',
  between: 'from',
}

/** Formats a value with up to 8 decimals, enough for all that the venue prints. */
const valueText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 8 })

/** Returns the strike with its sign, such as `≥ 4,128.56`; null if the venue states no strike. */
export function strikeText({ strike, strike_kind }: Pick<MarketInfo, 'strike' | 'strike_kind'>): string | null {
  if (strike === null) return null
  const sign = SIGNS[strike_kind ?? '']
  return sign === undefined ? valueText(strike) : `${sign} ${valueText(strike)}`
}

/** Returns the venue's value that was compared with the strike; a number is formatted, such as `4,128.4`. Null if
 *  unknown. */
export function decidedBy({ said }: Pick<MarketInfo, 'said'>): string | null {
  const final = said?.event?.['eventMetadata'] as { finalPrice?: unknown } | null | undefined
  const value = said?.market['expiration_value'] ?? final?.finalPrice
  if (value == null || value === '') return null
  return Number.isNaN(Number(value)) ? String(value) : valueText(Number(value))
}

/** Returns the address of the venue's page about a market; null if unknown. */
export function venueUrl({ venue }: BookId, market: Named): string | null {
  const { site, pathOf } = SHOWN[venue]
  const path = pathOf(market)
  return path === null ? null : `https://${site}/${path}`
}

/** Returns a text such as `settled: Yes, 2026-08-11 00:00:05.459 UTC`; null if the market is not settled. */
export function settledText(
  { result, settlement_timestamp: ms }: Pick<MarketInfo, 'result' | 'settlement_timestamp'>,
  zone: string,
): string | null {
  if (result === null) return null
  const outcome = capital(result)
  return ms === null ? `settled: ${outcome}` : `settled: ${outcome}, ${instantText(ms, zone)} ${zoneText(zone, ms)}`
}

/** Capitalises a word: some venues print results in lower case. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
