// Which markets of Kalshi are recorded.

import type { KalshiSelection } from '../config/record-config.ts'
import type { KalshiEvent } from './kalshi-market.ts'

/** Whether markets of an event are selected by what it is. Names of tickers are told apart by their letters alone. */
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

/** Whether every event has to be looked at, since what is selected has no name to ask for. */
export const needsAllEvents = ({ all, categories }: KalshiSelection): boolean => all || categories.length > 0
