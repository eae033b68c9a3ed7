// Measures summaries of whole seconds and minutes over HTTP, as queries that were never sent before: each is another
// window over the same records. Also measures DuckDB, which gets the quotes ready-made; 32 clients at once; and thirty
// days.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../storage/open-store.ts'
import { DAY_MS, MINUTE_MS } from '../../storage/units.ts'
import { askAll } from '../clients/run-clients.ts'
import { type BusyDay, busyDays } from '../datasets/busy-days.ts'
import { captureStore } from '../datasets/capture-store.ts'
import { manyDays } from '../datasets/many-days.ts'
import { quoteLines } from '../datasets/quotes.ts'
import { realCaptures } from '../datasets/real-captures.ts'
import { checksum } from '../measure/checksum.ts'
import { type Asked, askBytes, drain } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { firstDifference } from '../measure/same-values.ts'
import { elapsedMs } from '../measure/timing.ts'
import { type DuckdbFill, loadQuotes, writeCandles } from '../peers/duckdb-candles.ts'
import { arePeersInstalled, NOT_INSTALLED, openDuckdb } from '../peers/installed-peers.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Size, Target, Topic, TopicContext } from '../topic.ts'

const DENSEST = 'KXGOLD15M-26AUG102115-15'
const DENSEST_DATE = '2026-08-11'
const FILLS: DuckdbFill[] = ['none', 'observed']
const REPETITIONS = { smoke: 2, full: 15 }
const WARM_UP = { smoke: 1, full: 15 }
const CLIENTS = { smoke: 4, full: 32 }
const QUESTIONS = { smoke: 20, full: 20_000 }
const CLIENT_SECONDS = 5

export const topic: Topic = {
  async prepare({ size }) {
    await busyDays(size)
    await densestMarket(size)
    await manyDays(size)
  },
  async run(context, findings) {
    await besideDuckdb(findings, context)
    await busyDates(findings, context.size)
    await manyClients(findings, context.size)
    await thirtyDays(findings, context.size)
  },
}

type Day = Pick<BusyDay, 'market' | 'date' | 'fromMs'>

/** Returns the real densest market if its capture is beside the project, else a synthetic day. */
async function densestMarket(size: Size): Promise<{ data: string; day: Day; isReal: boolean }> {
  const files = realCaptures('kalshi', size).filter((path) => path.includes(DENSEST))
  if (files.length === 0) {
    const { data, usual } = await busyDays(size)
    return { data, day: usual[0]!, isReal: false }
  }
  const data = await captureStore('densest', files)
  return { data, day: { market: DENSEST, date: DENSEST_DATE, fromMs: Date.parse(DENSEST_DATE) }, isReal: true }
}

type Question = { resolutionSeconds: number; fill?: DuckdbFill; number: number }

/** Returns a query for whole minutes that contain all of a day; each number is another window. */
function windowPath({ market, fromMs }: Day, { resolutionSeconds, fill, number }: Question, dayCount = 1): string {
  const from = fromMs - number * MINUTE_MS
  const window = `start_timestamp=${from}&end_timestamp=${fromMs + dayCount * DAY_MS - 1}`
  const filled = fill === undefined ? '' : `&fill=${fill}`
  return `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&${window}&resolution=${resolutionSeconds}${filled}`
}

async function besideDuckdb(findings: Findings, { size, withPeers }: TopicContext): Promise<void> {
  const { data, day, isReal } = await densestMarket(size)
  findings.note(`the densest market is ${isReal ? `${DENSEST}` : 'a synthetic day'}`)
  if (withPeers && !arePeersInstalled()) findings.note(NOT_INSTALLED)
  const server = await startBackbook(data)
  const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
  const duckdb = withPeers && arePeersInstalled() ? await openDuckdb() : undefined
  if (duckdb !== undefined) {
    const store = openStore(data)
    await loadQuotes(duckdb, await quoteLines(store, day), join(folder, 'quotes.csv'))
    await store.close()
  }
  let number = 0
  const targets: [number, Target][] = [
    [60, { atMost: 0.15 }],
    [1, { atMost: 0.3 }],
  ]
  for (const [resolutionSeconds, target] of targets) {
    for (const fill of FILLS) {
      const candles = { resolutionSeconds, fill }
      const ask = () => drain(server, windowPath(day, { ...candles, number: number++ }))
      for (let i = 0; i < WARM_UP[size]; i++) await ask()
      const ours: number[] = []
      const theirs: number[] = []
      for (let i = 0; i < REPETITIONS[size]; i++) {
        ours.push(await elapsedMs(ask))
        if (duckdb !== undefined) theirs.push(await elapsedMs(() => writeCandles(duckdb, candles, '/dev/null')))
      }
      const name = `densest market at ${resolutionSeconds} s, fill=${fill}`
      findings.figure(name, median(ours), 'ms')
      const body = await askBytes(server, windowPath(day, { ...candles, number: number++ }))
      const answered = JSON.parse(Buffer.from(body).toString()) as { data: unknown[] }
      findings.answer(`${name}, buckets`, `${answered.data.length}:${checksum(JSON.stringify(answered.data))}`)
      if (duckdb === undefined) continue
      findings.figure(`${name}, DuckDB`, median(theirs), 'ms')
      findings.figure(`${name}, our time / that of DuckDB`, median(ours) / median(theirs), 'ratio', target)
      const path = join(folder, 'candles.json')
      await writeCandles(duckdb, candles, path)
      const difference = firstDifference(answered.data, await Bun.file(path).json())
      if (difference !== undefined) throw new Error(`DuckDB makes other candles than we do: ${difference}, ${name}`)
    }
  }
  if (duckdb !== undefined) findings.note("DuckDB's candles are the same as ours, all of them")
  await server.stop()
  rmSync(folder, { recursive: true })
}

/** Measures dates that were not requested before, on a server that has answered requests for other dates. */
async function busyDates(findings: Findings, size: Size): Promise<void> {
  const { data, usual } = await busyDays(size)
  const server = await startBackbook(data)
  const targets: [number, Target][] = [
    [60, { atMost: 3 }],
    [3_600, { atMost: 2 }],
  ]
  const warmUp = size === 'smoke' ? 1 : 4
  for (const [resolution, target] of targets) {
    const path = ({ market, date }: BusyDay) =>
      `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=${resolution}`
    for (let number = 1; number <= WARM_UP[size]; number++) {
      for (const day of usual.slice(0, warmUp)) {
        await drain(server, windowPath(day, { resolutionSeconds: resolution, number }))
      }
    }
    const times: number[] = []
    for (const day of usual.slice(warmUp)) times.push(await elapsedMs(() => drain(server, path(day))))
    findings.figure(`busy date at ${resolution} s`, median(times), 'ms', target)
    findings.answer(`busy date at ${resolution} s`, checksum(await askBytes(server, path(usual.at(-1)!))))
  }
  await server.stop()
}

async function manyClients(findings: Findings, size: Size): Promise<void> {
  const { data, usual } = await busyDays(size)
  const server = await startBackbook(data)
  // Each path is requested once, and consecutive requests are of different days.
  const paths = Array.from({ length: QUESTIONS[size] }, (_, i) => {
    const number = 1 + Math.floor(i / usual.length)
    return windowPath(usual[i % usual.length]!, { resolutionSeconds: 60, number })
  })
  const half = paths.length / 2
  const plan = { url: server.url, authorization: server.headers.authorization, clientCount: CLIENTS[size] }
  await askAll({ ...plan, paths: paths.slice(half), seconds: 2 })
  const report = await askAll({ ...plan, paths: paths.slice(0, half), seconds: CLIENT_SECONDS })
  const rate = report.answers / report.seconds
  findings.figure(`${CLIENTS[size]} clients, busy days at 60 s`, rate, 'requests/s', { atLeast: 500 })
  const megabytes = Math.round(report.bytes / report.seconds / 1e6)
  const share = Math.round((100 * report.cpuSeconds) / report.seconds)
  findings.note(`the clients read ${megabytes} MB/s and took ${share} % of one core`)
  await server.stop()
}

async function thirtyDays(findings: Findings, size: Size): Promise<void> {
  const { data, market, fromMs, dayCount } = await manyDays(size)
  const server = await startBackbook(data)
  const targets: [number, Target][] = [
    [3_600, { atMost: 60 }],
    [60, { atMost: 150 }],
  ]
  let number = 0
  for (const [resolutionSeconds, target] of targets) {
    const path = () => windowPath({ market, date: '', fromMs }, { resolutionSeconds, number: number++ }, dayCount)
    const name = `${dayCount} days of the busiest market at ${resolutionSeconds} s`
    findings.answer(name, checksum(await bucketsOf(server, path())))
    for (let i = 0; i < WARM_UP[size] / 3; i++) await drain(server, path())
    const times: number[] = []
    for (let i = 0; i < REPETITIONS[size]; i++) times.push(await elapsedMs(() => drain(server, path())))
    findings.figure(name, median(times), 'ms', target)
  }
  await server.stop()
}

/** Returns the answer without its envelope, which contains the window. */
async function bucketsOf(server: Asked, path: string): Promise<Uint8Array> {
  const body = Buffer.from(await askBytes(server, path))
  return body.subarray(body.indexOf('"data":'))
}
