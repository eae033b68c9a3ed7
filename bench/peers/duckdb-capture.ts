// Loads Kalshi captures into DuckDB as a user who knows their form would: typed columns, decimals as decimals.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '../datasets/cache.ts'
import { type DuckdbConnection, openDuckdb } from './installed-peers.ts'

const MESSAGE = [
  'market_ticker VARCHAR',
  'market_id VARCHAR',
  'price_dollars DECIMAL(6,4)',
  'delta_fp DECIMAL(18,2)',
  'side VARCHAR',
  'ts VARCHAR',
  'ts_ms BIGINT',
  'yes_dollars_fp VARCHAR[][]',
  'no_dollars_fp VARCHAR[][]',
  'trade_id VARCHAR',
  'yes_price_dollars DECIMAL(6,4)',
  'no_price_dollars DECIMAL(6,4)',
  'count_fp DECIMAL(18,2)',
  'taker_side VARCHAR',
  'taker_outcome_side VARCHAR',
  'taker_book_side VARCHAR',
]
const EVENT = `STRUCT("type" VARCHAR, sid INTEGER, seq BIGINT, msg STRUCT(${MESSAGE.join(', ')}))`
const COLUMNS = `{recv_ms: 'BIGINT', event: '${EVENT}'}`
const ROWS = 'SELECT recv_ms, event.type AS kind, event.sid AS sid, event.seq AS seq, unnest(event.msg) FROM capture'

/** Loads captures into a table `capture`; returns its number of rows. */
export async function loadInDuckdb(duckdb: DuckdbConnection, files: readonly string[]): Promise<number> {
  const list = files.map((file) => `'${file}'`).join(', ')
  await duckdb.run('DROP TABLE IF EXISTS capture')
  await duckdb.run(`CREATE TABLE capture AS SELECT * FROM read_ndjson([${list}], columns = ${COLUMNS})`)
  const [counted] = (await duckdb.runAndReadAll('SELECT count(*) AS rows FROM capture')).getRowObjectsJson()
  return Number(counted!['rows'])
}

export type ParquetSizes = { rows: number; zstd3: number; zstd19: number; zstd19Version2: number }

/** Returns the bytes of the captures as Parquet files. The sizes are cached: level 19 takes long, and the result is
 *  always the same. */
export async function parquetSizes(files: readonly string[]): Promise<ParquetSizes> {
  const contents = files.map((file) => [file, statSync(file).size, statSync(file).mtimeMs])
  const folder = await cached('parquet', [contents, COLUMNS, ROWS], async (made) => {
    const duckdb = await openDuckdb()
    const rows = await loadInDuckdb(duckdb, files)
    const write = async (name: string, level: number, version: string) => {
      const path = join(made, name)
      const options = `FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${level}, PARQUET_VERSION ${version}`
      await duckdb.run(`COPY (${ROWS}) TO '${path}' (${options})`)
      return statSync(path).size
    }
    const zstd3 = await write('zstd3.parquet', 3, 'V1')
    const zstd19 = await write('zstd19.parquet', 19, 'V1')
    const zstd19Version2 = await write('zstd19-v2.parquet', 19, 'V2')
    await Bun.write(join(made, 'sizes.json'), JSON.stringify({ rows, zstd3, zstd19, zstd19Version2 }))
  })
  return Bun.file(join(folder, 'sizes.json')).json()
}
