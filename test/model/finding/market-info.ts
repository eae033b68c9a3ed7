// Answers what is known of a market: the venue's metadata, and the stored dates.

import { amount, toNumber } from '../exact.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Venue } from '../message.ts'
import type { Partition } from '../quotes.ts'
import { type MarketMetadata, textOf, timeIn } from './metadata.ts'

export type MarketInfo = {
  title: string | null
  /** The part of the title that distinguishes the market from others of its event. */
  subtitle: string | null
  slug: string | null
  event: { id: string; title: string | null } | null
  outcomes: { outcome: string; title: string | null; asset_id: string | null }[]
  open_timestamp: number | null
  close_timestamp: number | null
  settlement_timestamp: number | null
  status: string | null
  result: string | null
  /** Payout of a contract of the first outcome, dollars. */
  settlement_value: number | null
  /** The value that decides the market. */
  strike: number | null
  strike_kind: string | null
  /** Tick size, dollars; null if it depends on the price. */
  tick_size: number | null
  price_ranges: { start: number; end: number; step: number }[] | null
  rules: string | null
  has_data: boolean
  start_date: string | null
  end_date: string | null
  available_date_count: number
  record_count: number
  said: { market: JsonObject; event: JsonObject | null } | null
}

/** Returns undefined if neither metadata nor a record is known. */
export function marketInfo(
  venue: Venue,
  known: MarketMetadata | undefined,
  partitions: Partition[],
): MarketInfo | undefined {
  if (known === undefined && partitions.length === 0) return undefined
  const market = known?.market ?? {}
  const event = known?.event ?? null
  return {
    ...(venue === 'kalshi' ? kalshiInfo(market) : polymarketInfo(market, known?.eventJson ?? {})),
    event: event === null ? null : { id: event, title: textOf(known?.eventJson?.['title']) },
    has_data: partitions.length > 0,
    start_date: partitions[0]?.date ?? null,
    end_date: partitions.at(-1)?.date ?? null,
    available_date_count: partitions.length,
    record_count: partitions.reduce((sum, { records }) => sum + records.length, 0),
    said: known === undefined ? null : { market, event: known.eventJson },
  }
}

type StoredInfo = 'event' | 'has_data' | 'start_date' | 'end_date' | 'available_date_count' | 'record_count' | 'said'
type VenueInfo = Omit<MarketInfo, StoredInfo>

function kalshiInfo(market: JsonObject): VenueInfo {
  const [yes, no] = [textOf(market['yes_sub_title']), textOf(market['no_sub_title'])]
  const isNamed = yes !== null || no !== null
  const ranges = rangesOf(market['price_ranges'])
  const steps = new Set(ranges?.map(({ step }) => step))
  return {
    title: textOf(market['title']),
    subtitle: textOf(market['subtitle']),
    slug: null,
    outcomes: isNamed
      ? [
          { outcome: 'Yes', title: yes, asset_id: null },
          { outcome: 'No', title: no, asset_id: null },
        ]
      : [],
    open_timestamp: timeIn(market['open_time']),
    close_timestamp: timeIn(market['close_time']),
    settlement_timestamp: timeIn(market['settlement_ts']),
    status: textOf(market['status']),
    result: textOf(market['result']) === 'scalar' ? 'split' : textOf(market['result']),
    settlement_value: textOf(market['result']) === null ? null : numberOf(market['settlement_value_dollars']),
    strike: plainNumber(market['floor_strike']) ?? plainNumber(market['cap_strike']),
    strike_kind: textOf(market['strike_type']),
    tick_size: steps.size === 1 ? [...steps][0]! : null,
    price_ranges: ranges,
    rules: paragraphs(market['rules_primary'], market['rules_secondary']),
  }
}

function polymarketInfo(market: JsonObject, event: JsonObject): VenueInfo {
  const names = textsIn(market['outcomes'])
  const tokens = textsIn(market['clobTokenIds'])
  const prices = textsIn(market['outcomePrices']).map(Number)
  const isClosed = market['closed'] === true
  return {
    title: textOf(market['question']),
    subtitle: textOf(market['groupItemTitle']),
    slug: textOf(market['slug']),
    outcomes: names.map((outcome, i) => ({ outcome, title: null, asset_id: tokens[i] ?? null })),
    open_timestamp: timeIn(market['startDate']),
    close_timestamp: timeIn(market['endDate']),
    settlement_timestamp: timeIn(market['closedTime']),
    status: statusOf(market),
    result: isClosed ? resultOf(names, prices) : null,
    settlement_value: isClosed && isSettlement(prices) ? prices[0]! : null,
    strike: plainNumber((event['eventMetadata'] as JsonObject | null | undefined)?.['priceToBeat']),
    strike_kind: null,
    tick_size: numberOf(market['orderPriceMinTickSize']),
    price_ranges: null,
    rules: paragraphs(market['description'], market['resolutionSource']),
  }
}

function statusOf({ closed, archived, active, umaResolutionStatus }: JsonObject): string | null {
  if (closed === true) return umaResolutionStatus === 'resolved' ? 'resolved' : 'closed'
  if (archived === true) return 'archived'
  if (typeof active !== 'boolean') return null
  return active ? 'active' : 'inactive'
}

/** Returns the result from the prices of a closed market: one outcome is worth a dollar, or all are worth the same. */
function resultOf(names: string[], prices: number[]): string | null {
  if (isWon(prices)) return names[prices.indexOf(1)] ?? null
  return isSettlement(prices) ? 'split' : null
}

const isWon = (prices: number[]): boolean =>
  prices.filter((price) => price === 1).length === 1 &&
  prices.filter((price) => price === 0).length === prices.length - 1

const isSettlement = (prices: number[]): boolean =>
  isWon(prices) || (prices.length > 1 && prices.every((price) => price === 1 / prices.length))

const paragraphs = (...texts: (Json | undefined)[]): string | null =>
  texts
    .map(textOf)
    .filter((text) => text !== null)
    .join('\n\n') || null

/** Returns a list of texts, given as a list or as JSON in a text. */
function textsIn(value: Json | undefined): string[] {
  const list: Json | undefined = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value
  return Array.isArray(list) ? list.map(String) : []
}

/** Reads a number whose unit is unknown, so it may have any number of decimals. */
const plainNumber = (value: Json | undefined): number | null => (value == null || value === '' ? null : Number(value))

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
