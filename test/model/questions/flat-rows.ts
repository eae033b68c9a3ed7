// Flattens rows for csv, arrow and parquet: nested values get flat names. In arrow and parquet, timestamps are ms.

import { isObject, type Json, type JsonObject } from '../json.ts'

const SECONDS_BELOW = 1e11

/** How to name flattened lists. `values` has the requested values of each list, by a part of the list's name. `levels`
 *  is the requested number of levels per side. */
export type Lists = { values: Record<string, string[]>; levels: number }

export function rowInFormat(row: JsonObject, format: string | undefined, lists: Lists): JsonObject {
  if (format === undefined || format === 'json' || format === 'ndjson') return row
  const cells = Object.entries(row).flatMap(([name, value]) => flatCells(name, value, lists))
  const timestamp = Number(row['timestamp'])
  const isInSeconds = format !== 'csv' && timestamp < SECONDS_BELOW
  return { ...Object.fromEntries(cells), timestamp: isInSeconds ? timestamp * 1_000 : timestamp }
}

/** Flattens one value. `best_bid_ohlc.open` becomes `best_bid_open`. A list gets a column for each of its requested
 *  values. Levels get numbered columns, null if there is no such level. */
function flatCells(name: string, value: Json, { values, levels }: Lists): [string, Json][] {
  if (isObject(value)) return Object.entries(value).map(([part, cell]) => [name.replace(/ohlc$/, part), cell])
  if (!Array.isArray(value)) return [[name, value]]
  if (name === 'bids' || name === 'asks') {
    return Array.from({ length: levels }, (_, i) => {
      const [price = null, size = null] = (value[i] ?? []) as Json[]
      const side = name.slice(0, -1)
      return [`${side}_price_${i + 1}`, price, `${side}_size_${i + 1}`, size] as const
    }).flatMap(([priceName, price, sizeName, size]): [string, Json][] => [
      [priceName, price],
      [sizeName, size],
    ])
  }
  const about = Object.entries(values).find(([part]) => name.includes(part))?.[1] ?? []
  return value.map((cell, i) => [`${name}_${about[i]}`, cell])
}
