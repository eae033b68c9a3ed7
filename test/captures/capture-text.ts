// Returns the real captures as lines, also as other recorders would have written them: in parts, in another order, with
// other white space, in other envelopes.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Venue } from '../../storage/venue.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import { capture } from '../support/captures.ts'
import type { AnyStore, StoredRecord } from '../support/store.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const KALSHI_QUIET = 'kalshi/KXGOLD15M-26AUG101900-00/2026-08-10.ndjson.gz'
export const KALSHI_OTHER = 'kalshi/KXGOLD15M-26AUG101800-00/2026-08-10.ndjson.gz'
export const KALSHI_DAY_1 = 'kalshi/KXGOLD15M-26AUG102000-00/2026-08-10.ndjson.gz'
export const KALSHI_DAY_2 = 'kalshi/KXGOLD15M-26AUG102000-00/2026-08-11.ndjson.gz'
export const KALSHI_RECONNECT = 'kalshi/KXGOLD15M-26AUG102030-30/2026-08-11.ndjson.gz'
export const FED = 'polymarket/fed-no-change-2026-07-20.ndjson'
export const JOKIC = 'polymarket/jokic-2025-12-to-2026-01.ndjson.gz'
export const LUKA = 'polymarket/luka-2025-12-to-2026-01.ndjson.gz'
export const CHANGES = 'polymarket/changes-2025-01.ndjson.gz'

export function linesOf(path: string): string[] {
  const bytes = readFileSync(capture(path))
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text.split('\n').filter((line) => line !== '')
}

/** Returns the messages of a line, without envelope and array. */
export function messagesOf(line: string): JsonObject[] {
  const value = JSON.parse(line) as JsonObject
  const body = (value['event'] ?? value) as JsonObject | JsonObject[]
  return Array.isArray(body) ? body : [body]
}

/** Returns parts that overlap by up to half of their length and together hold all lines. */
export function overlappingParts(lines: string[], count: number, random: Random): string[][] {
  const length = Math.ceil(lines.length / count)
  return Array.from({ length: count }, (_, part) => {
    const start = Math.max(0, part * length - random.below(length / 2))
    return lines.slice(start, (part + 1) * length)
  })
}

export function shuffled<T>(items: T[], random: Random): T[] {
  const rest = [...items]
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]!)
}

/** Writes a value like Python's json.dumps, with the keys of every object in reverse order. */
export function asPythonWrites(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(asPythonWrites).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).reverse()
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${asPythonWrites(value[key]!)}`).join(', ')}}`
}

/** Returns one line for each book, as in archives that have a file for each book. */
export function splitByAsset(line: string): { asset: string; line: string }[] {
  return messagesOf(line).flatMap((message) => {
    const changes = message['price_changes'] as JsonObject[] | undefined
    if (changes === undefined) return [{ asset: String(message['asset_id']), line: JSON.stringify(message) }]
    return [...Map.groupBy(changes, (entry) => String(entry['asset_id']))].map(([asset, entries]) => ({
      asset,
      line: JSON.stringify({ ...message, price_changes: entries }),
    }))
  })
}

export type StoredMarket = { venue: Venue; market: string }

export async function marketsOf({ store: { catalogue } }: AnyStore): Promise<StoredMarket[]> {
  const stored: StoredMarket[] = []
  for (const venue of ['polymarket', 'kalshi'] as const) {
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    stored.push(...markets.map((market) => ({ venue, market })))
  }
  return stored
}

/** Returns every record of a store, by market and date. */
export async function allRecords(store: AnyStore): Promise<Record<string, StoredRecord[]>> {
  const records: Record<string, StoredRecord[]> = {}
  for (const { venue, market } of await marketsOf(store)) {
    for (const date of await store.dates(venue, market))
      records[`${market} ${date}`] = await store.records(venue, market, date)
  }
  return records
}
