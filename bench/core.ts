// The figures of the core, on the real captures where they are and on a synthetic day elsewhere: `bun run bench`.
// Each is a median of several rounds in this one process; read them as ratios to each other, machines differ.

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { accountsUrl, openAccounts } from '../src/accounts/open-accounts.ts'
import { startServer } from '../src/commands/serve.ts'
import { readConfig } from '../src/config.ts'
import { openStore } from '../storage/open-store.ts'
import { DAY_MS, dateStartMs } from '../storage/units.ts'
import { loadCapture } from '../workers/ingest/load-capture.ts'
import { answerPage } from '../workers/raw/answer-page.ts'
import type { SummaryRequest } from '../workers/requests.ts'
import { answerSummary } from '../workers/summary/answer-summary.ts'
import { syntheticDay } from '../workers/synthetic/synthetic-day.ts'

const IS_SMOKE = process.env['BENCH_SMOKE'] === '1'
const ROUNDS = IS_SMOKE ? 2 : 15
const SYNTHETIC_RECORDS = IS_SMOKE ? 5_000 : 400_000

const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
const captures = await kalshiCaptures()
const rows: [string, string][] = []

const loads = [await load('first'), await load('second'), await load('third')].map(
  ({ records, seconds }) => records / seconds,
)
rows.push(['loading from .gz, first in the process', `${millions(loads[0]!)} million records/s`])
rows.push(['loading from .gz, warm', `${millions(Math.max(...loads))} million records/s`])

const data = join(folder, 'first')
const store = openStore(data)
const busiest = busiestDay()
rows.push([
  'stored, the whole file',
  `${(statSync(join(data, 'store/data.mdb')).size / busiest.allRecords).toFixed(2)} bytes a record`,
])
for (const resolution of [60, 1]) {
  const ms = await median(() => void answerSummary(store, summaryOf(resolution)))
  const rate = millions(busiest.records / (ms / 1_000))
  rows.push([
    `read, rebuild and bucket ${busiest.records} records at ${resolution} s`,
    `${ms.toFixed(1)} ms, ${rate} million records/s`,
  ])
}
const pageMs = await median(() => drain(answerPage(store, pageOf(10_000)).chunks))
rows.push(['raw page of 10,000 records, encoded', `${pageMs.toFixed(1)} ms`])
await httpFigures()
await store.close()
rmSync(folder, { recursive: true })
console.log(rows.map(([name, figure]) => `${name.padEnd(58)} ${figure}`).join('\n'))

async function kalshiCaptures(): Promise<string[]> {
  const real = fileURLToPath(new URL('../../shared/captures/kalshi', import.meta.url))
  if (existsSync(real) && !IS_SMOKE) {
    console.log('on the real Kalshi captures')
    return readdirSync(real, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.gz'))
      .sort()
      .map((name) => join(real, name))
  }
  console.log('on a synthetic day')
  const lines = [...syntheticDay({ date: '2026-07-20', kalshiRecords: SYNTHETIC_RECORDS }).kalshiLines]
  const path = join(folder, 'day.ndjson.gz')
  await Bun.write(path, gzipSync(lines.join('\n')))
  return [path]
}

async function load(name: string): Promise<{ records: number; seconds: number }> {
  const loaded = openStore(join(folder, name))
  const startMs = performance.now()
  let records = 0
  for (const capture of captures) records += (await loadCapture(loaded, join(folder, name), capture, () => {})).records
  await loaded.flushed()
  const seconds = (performance.now() - startMs) / 1_000
  await loaded.close()
  return { records, seconds }
}

function busiestDay() {
  const days = [...store.blocks.partitions('kalshi')].map((key) => ({
    ...key,
    records: store.blocks.head(key)!.recordCount,
  }))
  const allRecords = days.reduce((sum, { records }) => sum + records, 0)
  return { ...days.sort((a, b) => b.records - a.records)[0]!, allRecords }
}

function summaryOf(resolutionSeconds: number): SummaryRequest {
  const { venue, market, date } = busiest
  const fromMs = dateStartMs(date)
  const range = { fromMs, toMs: fromMs + DAY_MS - 1, nowMs: Date.now() }
  return { venue, market, book: market, ...range, resolutionSeconds, fill: 'observed', timestampUnit: 'ms' }
}

function pageOf(limit: number) {
  const { venue, market, date } = busiest
  return { venue, market, book: null, limit, scope: { date, offset: 0 } }
}

async function httpFigures(): Promise<void> {
  const accounts = await openAccounts(accountsUrl(null, data))
  const { secret } = await accounts.createKey({ userId: 'bench', name: 'bench', plan: undefined })
  await accounts.close()
  const server = await startServer({ data, host: '127.0.0.1', port: 0 }, readConfig({}, 1))
  const headers = { authorization: `Bearer ${secret}` }
  const ask = async (path: string) =>
    void (await (await fetch(`${server.url}/api/v1/kalshi/market/${path}`, { headers })).arrayBuffer())
  const { market, date } = busiest
  for (const resolution of [60, 1]) {
    const ms = await median(() => ask(`orderbook-summary?ticker=${market}&date=${date}&resolution=${resolution}`))
    rows.push([`date summary at ${resolution} s over HTTP`, `${ms.toFixed(1)} ms`])
  }
  rows.push([
    'raw page of 10,000 records over HTTP',
    `${(await median(() => ask(`data?ticker=${market}&date=${date}`))).toFixed(1)} ms`,
  ])
  rows.push(['date-range over HTTP', `${(await median(() => ask(`date-range?ticker=${market}`))).toFixed(2)} ms`])
  await server.stop()
}

async function median(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now()
    await run()
    times.push(performance.now() - startMs)
  }
  return times.sort((a, b) => a - b)[ROUNDS >>> 1]!
}

function drain(chunks: Iterator<Uint8Array>): void {
  while (!chunks.next().done);
}

function millions(value: number): string {
  return (value / 1e6).toFixed(2)
}
