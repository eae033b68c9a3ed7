// Decides which markets of Kalshi are recorded.

import type { KalshiSelection } from '../config/record-config.ts'
import type { KalshiEvent } from './kalshi-market.ts'

/** Whether the event, its series or its category is selected and none of them excluded. Names are compared without
 *  regard to case. */
export function selectsEvent(
  { all, events, series, categories, exclude }: KalshiSelection,
  event: KalshiEvent,
): boolean {
  const isAmong = (names: readonly string[], name: string | null) => name !== null && hasName(names, name)
  if (isAmong(exclude.events, event.event)) return false
  if (isAmong(exclude.series, event.series) || isAmong(exclude.categories, event.category)) return false
  return all || isAmong(events, event.event) || isAmong(series, event.series) || isAmong(categories, event.category)
}

export const excludesTicker = ({ exclude }: KalshiSelection, ticker: string): boolean =>
  hasName(exclude.tickers, ticker)

const hasName = (names: readonly string[], name: string): boolean => {
  const wanted = name.toLowerCase()
  return names.some((each) => each.toLowerCase() === wanted)
}

/** Whether all events must be listed, because the selection names no event or series to request. */
export const needsAllEvents = ({ all, categories }: KalshiSelection): boolean => all || categories.length > 0
