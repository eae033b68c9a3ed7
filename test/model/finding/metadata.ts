// Merges the venues' descriptions of markets and events: a later value replaces an earlier one, but an absent value
// replaces nothing.

import { instantNs, nsToMs } from '../exact.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Venue } from '../message.ts'

/** A description. `event` is the event's slug on Polymarket, its ticker on Kalshi; null if this describes an event. */
type Description = { json: JsonObject; updatedMs: number | null; event: string | null }
export type MarketMetadata = { market: JsonObject; event: string | null; eventJson: JsonObject | null }

export class Metadata {
  readonly #markets = new Map<string, Description>()
  readonly #events = new Map<string, Description>()

  /** Adds a document of Gamma or of Kalshi's REST API: a market, an event with its markets, or many of either. */
  add(document: JsonObject): void {
    const { market, event } = document
    if (isMarket(document)) return this.#addMarket(document, listIn(document, 'events')[0])
    if (isObject(market)) this.add(market)
    if (isObject(event)) this.add(event)
    for (const each of listIn(document, 'events')) this.add(each)
    this.#addEvent(document)
    const parent = isObject(event) ? event : document
    for (const each of listIn(document, 'markets')) this.#addMarket(each, parent)
  }

  /** Returns the markets that have metadata. */
  markets(): { venue: Venue; market: string }[] {
    return [...this.#markets.keys()].map((key) => {
      const [venue, market] = key.split(' ') as [Venue, string]
      return { venue, market }
    })
  }

  of(venue: Venue, market: string): MarketMetadata | undefined {
    const description = this.#markets.get(`${venue} ${market}`)
    if (description === undefined) return undefined
    const event = description.event === null ? undefined : this.#events.get(`${venue} ${description.event}`)
    return { market: description.json, event: description.event, eventJson: event?.json ?? null }
  }

  /** Adds a market. `event` is the event in the market's own `events`, or the event whose document contains the
   *  market. */
  #addMarket(market: JsonObject, event: JsonObject | undefined): void {
    const { conditionId, ticker, event_ticker: eventTicker } = market
    if (isGammaMarket(market)) {
      this.#mergeMarket('polymarket', String(conditionId).toLowerCase(), market, textOf(event?.['slug']))
      if (event !== undefined) this.#addEvent(event)
    } else if (typeof ticker === 'string') {
      this.#mergeMarket('kalshi', ticker.toUpperCase(), market, textOf(eventTicker)?.toUpperCase() ?? null)
    }
  }

  #addEvent(event: JsonObject): void {
    const { event_ticker: ticker, slug } = event
    if (typeof ticker === 'string') this.#mergeEvent(`kalshi ${ticker.toUpperCase()}`, event)
    else if (typeof slug === 'string' && slug !== '') this.#mergeEvent(`polymarket ${slug}`, event)
  }

  #mergeMarket(venue: Venue, market: string, { events: _, ...json }: JsonObject, event: string | null): void {
    const description = { ...descriptionOf(json), event }
    const known = this.#markets.get(`${venue} ${market}`)
    this.#markets.set(`${venue} ${market}`, known === undefined ? description : mergeDescriptions(known, description))
  }

  #mergeEvent(key: string, { markets: _, ...json }: JsonObject): void {
    const known = this.#events.get(key)
    this.#events.set(key, known === undefined ? descriptionOf(json) : mergeDescriptions(known, descriptionOf(json)))
  }
}

export const isGammaMarket = ({ conditionId, question, clobTokenIds }: JsonObject): boolean =>
  typeof conditionId === 'string' && (typeof question === 'string' || clobTokenIds !== undefined)

const isMarket = (value: JsonObject): boolean => isGammaMarket(value) || typeof value['ticker'] === 'string'

const listIn = (value: JsonObject, key: string): JsonObject[] => {
  const list = value[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

const descriptionOf = (json: JsonObject): Description => {
  const { updatedAt, updated_time: updated, last_updated_ts: lastUpdated } = json
  return { json, updatedMs: timeIn(updatedAt) ?? timeIn(updated) ?? timeIn(lastUpdated), event: null }
}

function mergeDescriptions(known: Description, added: Description): Description {
  const isOlder = known.updatedMs !== null && added.updatedMs !== null && added.updatedMs < known.updatedMs
  const [older, newer] = isOlder ? [added, known] : [known, added]
  const newValues = Object.entries(newer.json).filter(
    ([name, value]) => hasContent(value) || !hasContent(older.json[name]),
  )
  const json = { ...older.json, ...Object.fromEntries(newValues) }
  return { json, updatedMs: newer.updatedMs ?? older.updatedMs, event: newer.event ?? older.event }
}

function hasContent(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === '[]' || value === '0001-01-01T00:00:00Z')
    return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

export const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Reads RFC 3339, and Gamma's "2026-07-24 00:00:16+00". Returns Unix ms; null for the year 1, which means no time,
 *  and for anything that is not a time. */
export function timeIn(value: Json | undefined): number | null {
  if (typeof value !== 'string') return null
  const ns = instantNs(value.replace(/([+-]\d\d)$/, '$1:00'))
  return ns === undefined || ns <= 0n ? null : nsToMs(ns)
}
