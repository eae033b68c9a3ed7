// What is known of a market: what its venue says of it, and the dates that are stored.

import { amount, toNumber } from '../exact.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Venue } from '../message.ts'
import { type MarketMetadata, textOf, timeIn } from './metadata.ts'

export type MarketInfo = {
  title: string | null
  slug: string | null
  event: { id: string; title: string | null } | null
  outcomes: { name: string; title: string | null; asset_id: string | null }[]
  open_time: number | null
  close_time: number | null
  settlement_time: number | null
  status: string | null
  result: string | null
  tick_size: number | null
  price_ranges: { start: number; end: number; step: number }[] | null
  rules: string | null
  first_date: string | null
  last_date: string | null
}

/** Undefined where neither metadata nor a record is known. */
export function marketInfo(venue: Venue, known: MarketMetadata | undefined, dates: string[]): MarketInfo | undefined {
  if (known === undefined && dates.length === 0) return undefined
  const market = known?.market ?? {}
  const event = known?.event ?? null
  return {
    ...(venue === 'kalshi' ? kalshiInfo(market) : polymarketInfo(market)),
    event: event === null ? null : { id: event, title: textOf(known?.eventJson?.['title']) },
    first_date: dates[0] ?? null,
    last_date: dates.at(-1) ?? null,
  }
}

type VenueInfo = Omit<MarketInfo, 'event' | 'first_date' | 'last_date'>

function kalshiInfo(market: JsonObject): VenueInfo {
  const [yes, no] = [textOf(market['yes_sub_title']), textOf(market['no_sub_title'])]
  const isNamed = yes !== null || no !== null
  const rules = [textOf(market['rules_primary']), textOf(market['rules_secondary'])].filter((text) => text !== null)
  return {
    title: textOf(market['title']),
    slug: null,
    outcomes: isNamed
      ? [
          { name: 'Yes', title: yes, asset_id: null },
          { name: 'No', title: no, asset_id: null },
        ]
      : [],
    open_time: timeIn(market['open_time']),
    close_time: timeIn(market['close_time']),
    settlement_time: timeIn(market['settlement_ts']),
    status: textOf(market['status']),
    result: textOf(market['result']),
    tick_size: null,
    price_ranges: rangesOf(market['price_ranges']),
    rules: rules.length === 0 ? null : rules.join('\n\n'),
  }
}

function polymarketInfo(market: JsonObject): VenueInfo {
  const names = textsIn(market['outcomes'])
  const tokens = textsIn(market['clobTokenIds'])
  const prices = textsIn(market['outcomePrices']).map(Number)
  const isClosed = market['closed'] === true
  return {
    title: textOf(market['question']),
    slug: textOf(market['slug']),
    outcomes: names.map((name, i) => ({ name, title: null, asset_id: tokens[i] ?? null })),
    open_time: timeIn(market['startDate']),
    close_time: timeIn(market['endDate']),
    settlement_time: timeIn(market['closedTime']),
    status: isClosed
      ? 'closed'
      : typeof market['active'] === 'boolean'
        ? market['active']
          ? 'active'
          : 'inactive'
        : null,
    result: (isClosed ? names[prices.indexOf(1)] : undefined) ?? null,
    tick_size: numberOf(market['orderPriceMinTickSize']),
    price_ranges: null,
    rules: textOf(market['description']),
  }
}

/** A list of texts, or the JSON of one in a text. */
function textsIn(value: Json | undefined): string[] {
  const list: Json | undefined = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value
  return Array.isArray(list) ? list.map(String) : []
}

function numberOf(value: Json | undefined): number | null {
  const units = amount(value)
  return units === undefined ? null : toNumber(units)
}

function rangesOf(value: Json | undefined): MarketInfo['price_ranges'] {
  if (!Array.isArray(value) || value.length === 0) return null
  return value.filter(isObject).map(({ start, end, step }) => {
    return { start: numberOf(start) ?? 0, end: numberOf(end) ?? 0, step: numberOf(step) ?? 0 }
  })
}
