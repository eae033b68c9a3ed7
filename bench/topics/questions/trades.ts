// Measures the trades of a day of 2 million records as rows, and their candles. For comparison, DuckDB makes the
// candles from a table of the trades.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '../../../storage/units.ts'
import { type BusyDay, busyDays } from '../../datasets/busy-days.ts'
import { type Asked, askBytes } from '../../measure/http-client.ts'
import { askNew, windowOf } from '../../measure/new-questions.ts'
import { firstDifference } from '../../measure/same-values.ts'
import { medianMs } from '../../measure/timing.ts'
import { loadTrades, writeTradeCandles } from '../../peers/duckdb-trades.ts'
import { arePeersInstalled, NOT_INSTALLED, openDuckdb } from '../../peers/installed-peers.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Findings, Topic } from '../../topic.ts'

/** Limit of a page. One page holds nearly all trades of the busiest day. */
const PAGE_TRADES = 100_000
const DUCKDB_REPETITIONS = 15

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size, withPeers }, findings) {
    const { data, busiest } = await busyDays(size)
    const { market, fromMs } = busiest
    const server = await startBackbook(data)
    const trades = `/api/v1/kalshi/market/trades?ticker=${market}&limit=${PAGE_TRADES}`
    const csv = `${trades}&${windowOf(fromMs, 0)}&format=csv`
    for (const format of ['arrow', 'json']) {
      const name = `trades of a day as ${format}, at most ${PAGE_TRADES.toLocaleString('en-US')}`
      const path = (number: number) => `${trades}&${windowOf(fromMs, number)}&format=${format}`
      await askNew(
        findings,
        server,
        { name, path, checked: csv, ...(format === 'arrow' ? { target: { atMost: 40 } } : {}) },
        size,
      )
    }
    const summary = `/api/v1/kalshi/market/trade-summary?ticker=${market}&resolution=60`
    const candles = {
      name: 'trade candles at 60 s',
      path: (number: number) => `${summary}&${windowOf(fromMs, number)}`,
    }
    const ms = await askNew(findings, server, { ...candles, target: { atMost: 30 } }, size)
    if (withPeers && arePeersInstalled()) await besideDuckdb(findings, server, busiest, { summary, ms })
    else if (withPeers) findings.note(NOT_INSTALLED)
    await server.stop()
  },
}

async function besideDuckdb(
  findings: Findings,
  server: Asked,
  { market, fromMs }: BusyDay,
  { summary, ms }: { summary: string; ms: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
  const duckdb = await openDuckdb()
  await loadTrades(duckdb, await allTrades(server, market, fromMs), join(folder, 'trades.csv'))
  const theirMs = await medianMs(DUCKDB_REPETITIONS, () => writeTradeCandles(duckdb, 60, '/dev/null'))
  findings.figure('trade candles at 60 s, DuckDB', theirMs, 'ms')
  findings.figure('trade candles at 60 s, our time / that of DuckDB', ms / theirMs, 'ratio')
  const { data } = JSON.parse(Buffer.from(await askBytes(server, `${summary}&${windowOf(fromMs, 0)}`)).toString())
  const path = join(folder, 'candles.json')
  await writeTradeCandles(duckdb, 60, path)
  const difference = firstDifference(data, await Bun.file(path).json())
  if (difference !== undefined) throw new Error(`DuckDB makes other candles of trades than we do: ${difference}`)
  findings.note(`DuckDB's candles of trades are the same as ours, all ${data.length}`)
  rmSync(folder, { recursive: true })
}

type Page = { next_cursor: string | null; data: { timestamp: number; price: number; size: number; side: string }[] }

/** Returns the trades as CSV lines: time, price, size and side. */
async function allTrades(server: Asked, market: string, fromMs: number): Promise<string[]> {
  const window = `start_timestamp=${fromMs}&end_timestamp=${fromMs + DAY_MS - 1}&limit=${PAGE_TRADES}`
  const lines: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/api/v1/kalshi/market/trades?ticker=${market}&${window}${cursor && `&cursor=${cursor}`}`
    const { data, next_cursor } = JSON.parse(Buffer.from(await askBytes(server, path)).toString()) as Page
    lines.push(...data.map(({ timestamp, price, size, side }) => `${timestamp},${price},${size},${side}`))
    cursor = next_cursor
  }
  return lines
}
