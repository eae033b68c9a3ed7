// Rows as csv, arrow and parquet have them: nested values under flat names, instants of the latter two in ms.

import { isObject, type Json, type JsonObject } from '../json.ts'

const SECONDS_BELOW = 1e11

/** `lists` are the values that the lists of a row are about, by the beginning of their names. */
export function rowInFormat(row: JsonObject, format: string | undefined, lists: Record<string, string[]>): JsonObject {
  if (format === undefined || format === 'json' || format === 'ndjson') return row
  const cells = Object.entries(row).flatMap(([name, value]) => flatCells(name, value, lists))
  const timestamp = Number(row['timestamp'])
  const isInSeconds = format !== 'csv' && timestamp < SECONDS_BELOW
  return { ...Object.fromEntries(cells), timestamp: isInSeconds ? timestamp * 1_000 : timestamp }
}

/** `best_bid_ohlc.open` is `best_bid_open`; of a list each value stands under the name of what it is about; levels are
 *  `bid_price_1`, `bid_size_1` and so on, those that are there. */
function flatCells(name: string, value: Json, lists: Record<string, string[]>): [string, Json][] {
  if (name === 'bids' || name === 'asks') {
    const parts = ['price', 'size'].map((part) => `${name.slice(0, -1)}_${part}`)
    const levels = value as Json[][]
    return levels.flatMap((level, i) => parts.map((part, k): [string, Json] => [`${part}_${i + 1}`, level[k]!]))
  }
  if (isObject(value)) return Object.entries(value).map(([part, cell]) => [name.replace(/ohlc$/, part), cell])
  const about = Object.entries(lists).find(([list]) => name.includes(list))?.[1]
  if (about === undefined || !Array.isArray(value)) return [[name, value]]
  return value.map((cell, i) => [`${name}_${about[i]}`, cell])
}
