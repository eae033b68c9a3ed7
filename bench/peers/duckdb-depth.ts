// Computes depth in DuckDB from ready-made snapshots, which have a row for each level. The result has the same fields
// as ours, as JSON, for the snapshots that have both sides.

import { rmSync } from 'node:fs'
import type { DuckdbConnection } from './installed-peers.ts'

/** Loads levels: time in ms, side, number of the level (0 is the best), price and size. */
export async function loadSnapshots(duckdb: DuckdbConnection, lines: readonly string[], path: string): Promise<void> {
  await Bun.write(path, lines.join('\n'))
  const types = "{time_ms: 'BIGINT', side: 'VARCHAR', level: 'INTEGER', price: 'DOUBLE', size: 'DOUBLE'}"
  const rows = `SELECT * FROM read_csv('${path}', header = false, columns = ${types})`
  await duckdb.run(`CREATE OR REPLACE TABLE snapshots AS ${rows}`)
  rmSync(path)
}

const of = (side: string) => `FILTER (WHERE side = '${side}')`
const levels = (side: string) =>
  `list([price, size] ORDER BY level) FILTER (WHERE side = '${side}' AND level < 10) AS ${side}s`

/** Extends a band by half a micro-dollar: a sum of doubles may put a price at the edge of the band just outside it. */
const NEARLY = 5e-7

const within = (side: string, bands: readonly number[]) => {
  const isWithin = (band: number) =>
    side === 'bid' ? `price >= mid - ${band + NEARLY}` : `price <= mid + ${band + NEARLY}`
  const sums = bands.map((band) => `coalesce(sum(size) FILTER (WHERE side = '${side}' AND ${isWithin(band)}), 0)`)
  return `[${sums.join(', ')}] AS ${side}_depth_within`
}

const depth = (bands: readonly number[]) => `
  WITH tops AS (
    SELECT time_ms, max(price) ${of('bid')} AS bid, min(price) ${of('ask')} AS ask FROM snapshots GROUP BY 1
  ), mids AS (SELECT time_ms, (bid + ask) / 2 AS mid FROM tops WHERE bid IS NOT NULL AND ask IS NOT NULL),
  summed AS (
    SELECT time_ms AS timestamp, ${levels('bid')}, ${levels('ask')},
      count(*) ${of('bid')} AS bid_level_count, count(*) ${of('ask')} AS ask_level_count,
      sum(size) ${of('bid')} AS bid_depth, sum(size) ${of('ask')} AS ask_depth,
      ${within('bid', bands)}, ${within('ask', bands)}
    FROM snapshots JOIN mids USING (time_ms) GROUP BY 1
  )
  SELECT *, (bids[1][2] - asks[1][2]) / (bids[1][2] + asks[1][2]) AS imbalance,
    (bids[1][1] * asks[1][2] + asks[1][1] * bids[1][2]) / (bids[1][2] + asks[1][2]) AS microprice
  FROM summed`

/** Writes the rows as a JSON array to `path`, which may be /dev/null. */
export async function writeDepth(duckdb: DuckdbConnection, bands: readonly number[], path: string): Promise<void> {
  await duckdb.run(`COPY (${depth(bands)} ORDER BY 1) TO '${path}' (FORMAT json, ARRAY true)`)
}
