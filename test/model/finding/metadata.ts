// Merges the venues' descriptions of markets and events: a later value replaces an earlier one, but an absent value
// replaces nothing.

import { instantNs, nsToMs } from '../exact.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Venue } from '../message.ts'

/** A description. `event` is the event's slug on Polymarket, its ticker on Kalshi; null if this describes an event. */
type Said = { json: JsonObject; updatedMs: number | null; event: string | null }
export type MarketMetadata = { market: JsonObject; event: string | null; eventJson: JsonObject | null }

export class Metadata {
  readonly #markets = new Map<string, Said>()
  readonly #events = new Map<string, Said>()

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
    const said = this.#markets.get(`${venue} ${market}`)
    if (said === undefined) return undefined
    const event = said.event === null ? undefined : this.#events.get(`${venue} ${said.event}`)
    return { market: said.json, event: said.event, eventJson: event?.json ?? null }
  }

  /** Adds a market. `event` is the event in the market's own `events`, or the event whose document contains the
   *  market. */
  #addMarket(market: JsonObject, event: JsonObject | undefined): void {
    const { conditionId, ticker, event_ticker: eventTicker } = market
    if (isGammaMarket(market)) {
      this.#say('polymarket', String(conditionId).toLowerCase(), market, textOf(event?.['slug']))
      if (event !== undefined) this.#addEvent(event)
    } else if (typeof ticker === 'string') {
      this.#say('kalshi', ticker.toUpperCase(), market, textOf(eventTicker)?.toUpperCase() ?? null)
    }
  }

  #addEvent(event: JsonObject): void {
    const { event_ticker: ticker, slug } = event
    if (typeof ticker === 'string') this.#sayEvent(`kalshi ${ticker.toUpperCase()}`, event)
    else if (typeof slug === 'string' && slug !== '') this.#sayEvent(`polymarket ${slug}`, event)
  }

  #say(venue: Venue, market: string, { events: _, ...json }: JsonObject, event: string | null): void {
    const said = { ...saidOf(json), event }
    const known = this.#markets.get(`${venue} ${market}`)
    this.#markets.set(`${venue} ${market}`, known === undefined ? said : mergeSaid(known, said))
  }

  #sayEvent(key: string, { markets: _, ...json }: JsonObject): void {
    const known = this.#events.get(key)
    this.#events.set(key, known === undefined ? saidOf(json) : mergeSaid(known, saidOf(json)))
  }
}

export const isGammaMarket = ({ conditionId, question, clobTokenIds }: JsonObject): boolean =>
  typeof conditionId === 'string' && (typeof question === 'string' || clobTokenIds !== undefined)

const isMarket = (value: JsonObject): boolean => isGammaMarket(value) || typeof value['ticker'] === 'string'

const listIn = (value: JsonObject, key: string): JsonObject[] => {
  const list = value[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

const saidOf = (json: JsonObject): Said => {
  const { updatedAt, updated_time: updated, last_updated_ts: lastUpdated } = json
  return { json, updatedMs: timeIn(updatedAt) ?? timeIn(updated) ?? timeIn(lastUpdated), event: null }
}

function mergeSaid(known: Said, given: Said): Said {
  const isOlder = known.updatedMs !== null && given.updatedMs !== null && given.updatedMs < known.updatedMs
  const [older, newer] = isOlder ? [given, known] : [known, given]
  const told = Object.entries(newer.json).filter(
    ([name, value]) => saysSomething(value) || !saysSomething(older.json[name]),
  )
  const json = { ...older.json, ...Object.fromEntries(told) }
  return { json, updatedMs: newer.updatedMs ?? older.updatedMs, event: newer.event ?? older.event }
}

function saysSomething(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === '[]' || value === '0001-01-01T00:00:00Z')
    return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

export const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Reads RFC 3339, and Gamma's "2026-07-24 00:00:16+00"; returns Unix ms, or null for the year 1, which means no
 *  time. */
export function timeIn(value: Json | undefined): number | null {
  if (typeof value !== 'string') return null
  const ns = instantNs(value.replace(/([+-]\d\d)$/, '$1:00'))
  return ns === undefined || ns <= 0n ? null : nsToMs(ns)
}
