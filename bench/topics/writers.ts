// Measures what writers cost readers: `date-range` while an `ingest` process loads, compared with `date-range` without
// a writer, and all kinds of requests while another process holds the store's write lock.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import { type BusyDay, busyDays } from '../datasets/busy-days.ts'
import { CAPTURE_DATE, captureSet, SMOKE_RECORDS, syntheticCapture } from '../datasets/synthetic-capture.ts'
import { median } from '../measure/median.ts'
import { askSteadily, percentile, type SteadyPlan } from '../measure/steady-requests.ts'
import { type BackbookServer, startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Size, Topic } from '../topic.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const HOLD = fileURLToPath(new URL('../clients/hold-write-lock.ts', import.meta.url))
const RECORDS = { smoke: SMOKE_RECORDS, full: 5_000_000 }
/** A date that the store does not have yet. */
const LOADED_DATE = utcDate(dateStartMs(CAPTURE_DATE) + DAY_MS)
const PER_SECOND = 250
const REST_MS = { smoke: 200, full: 6_000 }
const HELD_MS = { smoke: 300, full: 3_000 }
const WINDOW_MS = 300_000
/** Limit for requests while the lock is held for seconds: a request that waits for the lock would exceed it. */
const NOT_WAITING = { atMost: 250 }

export const topic: Topic = {
  async prepare({ size }) {
    await busyDays(size)
    await capturesOf(size)
  },
  async run({ size }, findings) {
    const { data: cachedData, usual } = await busyDays(size)
    const data = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    cpSync(cachedData, data, { recursive: true })
    const gamma = gammaServer()
    const server = await startBackbook(data, { settings: { GAMMA_URL: gamma.url } })
    await duringLoads(findings, { server, data, usual }, size)
    await duringLock(findings, { server, data, usual }, size)
    await server.stop()
    await gamma.stop()
    rmSync(data, { recursive: true })
  },
}

type Running = { server: BackbookServer; data: string; usual: BusyDay[] }

async function capturesOf(size: Size): Promise<Record<string, string[]>> {
  const one = await syntheticCapture({ venue: 'kalshi', date: LOADED_DATE, records: RECORDS[size] })
  return { 'a load of 5 million records': [one], 'a load of 16 captures, on both cores': await captureSet(size) }
}

async function duringLoads(findings: Findings, { server, data, usual }: Running, size: Size): Promise<void> {
  const plan = dateRanges(server, usual)
  await askSteadily(plan, Bun.sleep(REST_MS[size] / 3))
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  const rest = await askSteadily(plan, Bun.sleep(REST_MS[size]))
  const { user, system } = process.cpuUsage(cpuBefore)
  const share = (user + system) / 10 / (performance.now() - startMs)
  findings.note(
    `the client sends ${PER_SECOND} requests a second and takes ${Math.round(share)} % of one core for them`,
  )
  const restP99 = percentile(rest, 0.99)
  findings.figure('date-range at rest, median', median(rest), 'ms')
  findings.figure('date-range at rest, p99', restP99, 'ms')
  for (const [name, captures] of Object.entries(await capturesOf(size))) {
    const load = loading(data, captures)
    const times = await askSteadily(plan, load)
    findings.answer(`${name}, records`, (await load).records)
    findings.note(`${name} took ${((await load).ms / 1_000).toFixed(1)} s, with ${times.length} requests beside it`)
    const p99 = percentile(times, 0.99)
    findings.figure(`date-range during ${name}, median`, median(times), 'ms')
    findings.figure(`date-range during ${name}, p99`, p99, 'ms')
    findings.figure(`date-range during ${name}, longest`, Math.max(...times), 'ms')
    findings.figure(`p99 during ${name} / at rest`, p99 / restP99, 'ratio', { atMost: 2 })
  }
}

async function loading(data: string, captures: readonly string[]): Promise<{ ms: number; records: number }> {
  const startMs = performance.now()
  const child = Bun.spawn([process.execPath, MAIN, 'ingest', '--data', data, '--json', ...captures], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { records } = (await new Response(child.stdout).json()) as { records: number }
  if ((await child.exited) !== 0) throw new Error('ingest failed')
  return { ms: performance.now() - startMs, records }
}

async function duringLock(findings: Findings, running: Running, size: Size): Promise<void> {
  const [atRest, held] = [new Questions(running), new Questions(running)]
  const rest = await atRest.askAll('rest', Bun.sleep(HELD_MS[size]))
  const holder = Bun.spawn([process.execPath, HOLD, running.data, String(HELD_MS[size])], { stdout: 'pipe' })
  const reader = holder.stdout.getReader()
  await reader.read()
  const times = await held.askAll('held', holder.exited)
  for (const name of Object.keys(times) as (keyof typeof times)[]) {
    findings.figure(`${name}, at rest, longest`, Math.max(...rest[name]), 'ms')
    findings.figure(`${name}, the write lock held, longest`, Math.max(...times[name]), 'ms', NOT_WAITING)
  }
}

const dateRanges = (server: BackbookServer, usual: readonly BusyDay[]): SteadyPlan => ({
  asked: server,
  path: (number) => `/api/v1/kalshi/market/date-range?ticker=${usual[number % usual.length]!.market}`,
  perSecond: PER_SECOND,
})

/** Sends requests to the server, each one new. */
class Questions {
  readonly #running: Running

  constructor(running: Running) {
    this.#running = running
  }

  async askAll(name: string, until: Promise<unknown>) {
    const { server, usual } = this.#running
    const summary = (number: number) => {
      const { market, fromMs } = usual[number % usual.length]!
      const from = fromMs + (number % 200) * WINDOW_MS + (name === 'rest' ? 0 : 60_000)
      const window = `start_timestamp=${from}&end_timestamp=${from + WINDOW_MS - 1}`
      return `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&${window}&resolution=1`
    }
    const slug = (number: number) => `/lookup/slug?slug=${name}-${number}`
    const [dateRange, summaries, lookups] = await Promise.all([
      askSteadily(dateRanges(server, usual), until),
      askSteadily({ asked: server, path: summary, perSecond: 20 }, until),
      askSteadily({ asked: server, path: slug, perSecond: 20 }, until),
    ])
    return { 'date-range': dateRange, 'summary of 5 minutes': summaries, 'lookup of a new slug': lookups }
  }
}

/** Starts a Gamma server that knows every slug. */
function gammaServer(): { url: string; stop(): Promise<void> } {
  const { gammaEvent } = syntheticDay({ date: CAPTURE_DATE })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => Response.json([{ ...gammaEvent, slug: new URL(url).searchParams.get('slug') }]),
  })
  return { url: server.url.href.replace(/\/$/, ''), stop: () => server.stop(true) }
}
