// Measures the peak resident memory of our processes during one kind of work. Mapped pages of the store count, though
// the system reclaims them when it needs memory.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BusyDays, busyDays } from '../datasets/busy-days.ts'
import { usualCapture } from '../datasets/synthetic-capture.ts'
import { drain } from '../measure/http-client.ts'
import { peakMb } from '../measure/process-memory.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Topic } from '../topic.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const RANGE_LIMIT = 100_000

export const topic: Topic = {
  async prepare({ size }) {
    await busyDays(size)
    await usualCapture(size)
  },
  async run({ size }, findings) {
    await ofIngest(findings, await usualCapture(size))
    const days = await busyDays(size)
    const { market, date, fromMs } = days.busiest
    const repetitions = size === 'smoke' ? 1 : 5
    const path = '/api/v1/kalshi/market'
    const toMs = fromMs + 86_400_000 - 1
    const range = `ticker=${market}&start_timestamp=${fromMs}&end_timestamp=${toMs}&limit=${RANGE_LIMIT}`
    await ofServer(findings, days, { name: 'idle', path: '/health', repetitions: 1 })
    const summary = `${path}/orderbook-summary?ticker=${market}&date=${date}&resolution=1`
    await ofServer(findings, days, { name: 'summaries of the busiest day at 1 s', path: summary, repetitions })
    await ofServer(findings, days, {
      name: 'pages of 100,000 records',
      path: `${path}/data/range?${range}`,
      repetitions,
    })
  },
}

async function ofIngest(findings: Findings, capture: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
  const command = [process.execPath, MAIN, 'ingest', '--data', folder, '--json', capture]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
  const { records } = (await new Response(child.stdout).json()) as { records: number }
  await child.exited
  rmSync(folder, { recursive: true })
  const { maxRSS } = child.resourceUsage()!
  findings.figure('ingest of a busy day', maxRSS / 1e6, 'MB')
  findings.answer('records', records)
}

type Asked = { name: string; path: string; repetitions: number }

async function ofServer(findings: Findings, { data }: BusyDays, { name, path, repetitions }: Asked): Promise<void> {
  const server = await startBackbook(data)
  let bytes = 0
  for (let i = 0; i < repetitions; i++) bytes = await drain(server, path)
  const peak = peakMb(server.pid)
  if (peak === undefined) findings.note(`${name}: this system does not report it`)
  else findings.figure(`server, ${name}`, peak, 'MB')
  // Compares only lengths: /health contains an age, and pages contain a signed cursor, so their contents vary.
  findings.answer(`${name}, bytes`, bytes)
  await server.stop()
}
