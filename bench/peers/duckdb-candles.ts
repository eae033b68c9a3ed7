// Makes candles in DuckDB from quotes, at any resolution of whole seconds that divides a day. The candles have the same
// fields as ours, as JSON.

import { rmSync } from 'node:fs'
import type { DuckdbConnection } from './installed-peers.ts'

/** Aggregates only existing values: a side of the book may be empty. */
const ohlc = (name: string, value: string) => {
  const filter = `FILTER (WHERE ${value} IS NOT NULL)`
  const [open, close] = [`first(${value}) ${filter}`, `last(${value}) ${filter}`]
  return `{'open': ${open}, 'high': max(${value}), 'low': min(${value}), 'close': ${close}} AS ${name}`
}
const carried = (value: string) => `{'open': ${value}, 'high': ${value}, 'low': ${value}, 'close': ${value}}`

const quoted = (ms: number) => `
  SELECT time_ms // ${ms} * ${ms} AS timestamp, count(*) AS quote_count, false AS is_forward_filled,
    last(bid) AS best_bid, last(bid_size) AS best_bid_size, last(ask) AS best_ask, last(ask_size) AS best_ask_size,
    last((bid + ask) / 2) AS mid_price, last(ask - bid) AS spread,
    ${ohlc('best_bid_ohlc', 'bid')}, ${ohlc('best_ask_ohlc', 'ask')},
    ${ohlc('mid_price_ohlc', '(bid + ask) / 2')}, ${ohlc('spread_ohlc', 'ask - bid')}
  FROM quotes GROUP BY 1`

const orCarried = (name: string, value: string) =>
  `CASE WHEN q.timestamp = bucket THEN ${name} ELSE ${carried(value)} END AS ${name}`

/** Returns SQL in which a bucket without a quote carries the state of the bucket before. An ASOF join gives the same
 *  result but takes minutes. */
const carriedToo = (ms: number) => `
  WITH quoted AS (${quoted(ms)}),
    next AS (SELECT *, coalesce(lead(timestamp) OVER (ORDER BY timestamp), timestamp + ${ms}) AS until FROM quoted),
    q AS (SELECT *, unnest(range(timestamp, until, ${ms})) AS bucket FROM next)
  SELECT bucket AS timestamp, CASE WHEN q.timestamp = bucket THEN quote_count ELSE 0 END AS quote_count,
    q.timestamp <> bucket AS is_forward_filled, best_bid, best_bid_size, best_ask, best_ask_size, mid_price, spread,
    ${orCarried('best_bid_ohlc', 'best_bid')}, ${orCarried('best_ask_ohlc', 'best_ask')},
    ${orCarried('mid_price_ohlc', 'mid_price')}, ${orCarried('spread_ohlc', 'spread')}
  FROM q`

export type DuckdbFill = 'none' | 'observed'

/** Loads quotes into the table that the candles are made from. */
export async function loadQuotes(duckdb: DuckdbConnection, lines: readonly string[], path: string): Promise<void> {
  await Bun.write(path, lines.join('\n'))
  const types = "{time_ms: 'BIGINT', bid: 'DOUBLE', bid_size: 'DOUBLE', ask: 'DOUBLE', ask_size: 'DOUBLE'}"
  await duckdb.run(`CREATE OR REPLACE TABLE quotes AS SELECT * FROM read_csv('${path}', columns = ${types})`)
  rmSync(path)
}

export type CandleOptions = { fill: DuckdbFill; resolutionSeconds: number }

/** Writes the candles as a JSON array to `path`, which may be /dev/null. */
export async function writeCandles(
  duckdb: DuckdbConnection,
  { fill, resolutionSeconds }: CandleOptions,
  path: string,
): Promise<void> {
  const candles = (fill === 'none' ? quoted : carriedToo)(resolutionSeconds * 1_000)
  await duckdb.run(`COPY (${candles} ORDER BY 1) TO '${path}' (FORMAT json, ARRAY true)`)
}
