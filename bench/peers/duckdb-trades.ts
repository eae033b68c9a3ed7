// Makes candles of trades in DuckDB from a table of trades: the same fields as ours, as JSON.

import { rmSync } from 'node:fs'
import type { DuckdbConnection } from './installed-peers.ts'

/** Loads trades: time in ms, price, size and side. */
export async function loadTrades(duckdb: DuckdbConnection, lines: readonly string[], path: string): Promise<void> {
  await Bun.write(path, lines.join('\n'))
  const types = "{time_ms: 'BIGINT', price: 'DOUBLE', size: 'DOUBLE', side: 'VARCHAR'}"
  await duckdb.run(
    `CREATE OR REPLACE TABLE trades AS SELECT * FROM read_csv('${path}', header = false, columns = ${types})`,
  )
  rmSync(path)
}

const candles = (ms: number) => `
  SELECT time_ms // ${ms} * ${ms} AS timestamp,
    first(price) AS open, max(price) AS high, min(price) AS low, last(price) AS close,
    sum(price * size) / sum(size) AS vwap, sum(size) AS volume,
    coalesce(sum(size) FILTER (WHERE side = 'buy'), 0) AS buy_volume,
    coalesce(sum(size) FILTER (WHERE side = 'sell'), 0) AS sell_volume,
    sum(price * size) AS notional, count(*) AS trade_count,
    count(*) FILTER (WHERE side = 'buy') AS buy_count, count(*) FILTER (WHERE side = 'sell') AS sell_count
  FROM trades GROUP BY 1`

/** Writes the candles as a JSON array to `path`, which may be /dev/null. */
export async function writeTradeCandles(duckdb: DuckdbConnection, seconds: number, path: string): Promise<void> {
  await duckdb.run(`COPY (${candles(1_000 * seconds)} ORDER BY 1) TO '${path}' (FORMAT json, ARRAY true)`)
}
