// Measures a day at 1 s over HTTP, requested for the first time. For comparison, DuckDB gets the quotes ready-made and
// rebuilds no book. Both give the same buckets with the same fields as JSON, which is checked; DuckDB writes its JSON
// to /dev/null.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../../storage/open-store.ts'
import { type BusyDay, busyDays } from '../datasets/busy-days.ts'
import { quoteLines } from '../datasets/quotes.ts'
import { type Asked, askBytes, drain } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { firstDifference } from '../measure/same-values.ts'
import { elapsedMs } from '../measure/timing.ts'
import { type DuckdbFill, loadQuotes, writeCandles } from '../peers/duckdb-candles.ts'
import { arePeersInstalled, type DuckdbConnection, NOT_INSTALLED, openDuckdb } from '../peers/installed-peers.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Topic } from '../topic.ts'

const FILLS: DuckdbFill[] = ['none', 'observed']
const WARM_UP_DAYS = 4
const HALF = { atMost: 0.5 }

type Candles = { server: Asked; duckdb: DuckdbConnection | undefined; store: Store; folder: string }

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size, withPeers }, findings) {
    const { data, usual, busiest } = await busyDays(size)
    if (withPeers && !arePeersInstalled()) findings.note(NOT_INSTALLED)
    const server = await startBackbook(data)
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    const duckdb = withPeers && arePeersInstalled() ? await openDuckdb() : undefined
    const candles = { server, duckdb, store: openStore(data), folder }
    const warmUpDays = usual.slice(0, size === 'smoke' ? 1 : WARM_UP_DAYS)
    const others = usual.slice(warmUpDays.length)
    for (const day of warmUpDays) for (const fill of FILLS) await measureDay(candles, day, fill)
    for (const [i, fill] of FILLS.entries()) {
      const days = others.filter((_, j) => j % FILLS.length === i).slice(0, size === 'smoke' ? 1 : 5)
      await measure(findings, candles, { name: `busy day, fill=${fill}`, days, fill })
    }
    await measure(findings, candles, { name: 'busiest day, fill=none', days: [busiest], fill: 'none' })
    if (duckdb !== undefined) await crossCheck(findings, candles, usual[0]!)
    await candles.store.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  },
}

type Measured = { name: string; days: BusyDay[]; fill: DuckdbFill }

async function measure(findings: Findings, candles: Candles, { name, days, fill }: Measured): Promise<void> {
  const ours: number[] = []
  const theirs: number[] = []
  let bytes = 0
  for (const day of days) {
    const measured = await measureDay(candles, day, fill)
    ours.push(measured.ours)
    theirs.push(measured.theirs)
    bytes += measured.bytes
  }
  findings.figure(name, median(ours), 'ms')
  findings.answer(`${name}, bytes`, bytes)
  if (candles.duckdb === undefined) return
  findings.figure(`${name}, DuckDB`, median(theirs), 'ms')
  findings.figure(`${name}, our time / that of DuckDB`, median(ours) / median(theirs), 'ratio', HALF)
}

async function measureDay({ server, duckdb, store, folder }: Candles, day: BusyDay, fill: DuckdbFill) {
  if (duckdb !== undefined) await loadQuotes(duckdb, await quoteLines(store, day), join(folder, 'quotes.csv'))
  let bytes = 0
  const ours = await elapsedMs(async () => {
    bytes = await drain(server, summaryPath(day, fill))
  })
  const theirs: number[] = []
  for (let i = 0; duckdb !== undefined && i < 3; i++) {
    theirs.push(await elapsedMs(() => writeCandles(duckdb, { fill, resolutionSeconds: 1 }, '/dev/null')))
  }
  return { ours, theirs: theirs.length === 0 ? 0 : median(theirs), bytes }
}

/** Throws if the candles differ: the comparison would mean nothing. */
async function crossCheck(findings: Findings, { server, duckdb, store, folder }: Candles, day: BusyDay): Promise<void> {
  await loadQuotes(duckdb!, await quoteLines(store, day), join(folder, 'quotes.csv'))
  for (const fill of FILLS) {
    const { data } = JSON.parse(Buffer.from(await askBytes(server, summaryPath(day, fill))).toString())
    const path = join(folder, `candles-${fill}.json`)
    await writeCandles(duckdb!, { fill, resolutionSeconds: 1 }, path)
    const theirs: unknown = await Bun.file(path).json()
    const difference = firstDifference(data, theirs)
    if (difference !== undefined) throw new Error(`DuckDB makes other candles than we do: ${difference}, fill=${fill}`)
    findings.note(`fill=${fill}: DuckDB's candles are the same as ours, all ${data.length}`)
  }
}

const summaryPath = ({ market, date }: BusyDay, fill: DuckdbFill) =>
  `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=1&fill=${fill}`
