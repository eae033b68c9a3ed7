// Measures replays over WebSocket: how many messages one client gets at full speed, the memory with 64 clients, half of
// them slow readers, and how late messages are at speed 1.

import { fileURLToPath } from 'node:url'
import type { ReplayClientPlan, ReplayPlan, ReplayReport } from '../clients/replay-clients.ts'
import { type BusyDay, busyDays } from '../datasets/busy-days.ts'
import { watchMemory } from '../measure/watched-memory.ts'
import { type BackbookServer, startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Topic } from '../topic.ts'

const CLIENTS_FILE = fileURLToPath(new URL('../clients/replay-clients.ts', import.meta.url))
const DAY_MS = 86_400_000
const SLOW_BYTES_PER_SECOND = 100_000
const CLIENTS = { smoke: 4, full: 64 }
const BESIDE_MS = { smoke: 300, full: 12_000 }
const PLAYED_MS = { smoke: 500, full: 15_000 }
const REPETITIONS = { smoke: 1, full: 3 }

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual, busiest } = await busyDays(size)
    const server = await startBackbook(data, { logsTo: 'ignore' })
    const whole = clientOf(busiest, { speed: 0 })
    let best: ReplayReport | undefined
    for (let i = 0; i < REPETITIONS[size]; i++) {
      const report = await replay(server, [whole], null)
      if (best === undefined || report.ms < best.ms) best = report
    }
    findings.answer('messages of the busiest day', best!.messages)
    findings.figure('one client, speed 0', (best!.messages / best!.ms) * 1_000, 'records/s', { atLeast: 150_000 })
    await atItsOwnSpeed(findings, server, busiest, PLAYED_MS[size])
    await server.stop()
    await manyClients(findings, data, [...usual, busiest], { count: CLIENTS[size], ms: BESIDE_MS[size] })
  },
}

async function atItsOwnSpeed(findings: Findings, server: BackbookServer, day: BusyDay, playedMs: number) {
  const fromMs = day.fromMs + DAY_MS / 2
  const client = { ...clientOf(day, { speed: 1, fromMs, toMs: fromMs + playedMs }), isTimed: true }
  const { lateMs } = await replay(server, [client], null)
  const at = (share: number) => Math.max(0.01, lateMs[Math.floor((lateMs.length - 1) * share)] ?? 0.01)
  findings.answer('messages at speed 1', lateMs.length)
  findings.figure('at speed 1, later than the earliest: 99 of 100', at(0.99), 'ms', { atMost: 5 })
  findings.figure('at speed 1, later than the earliest: all', at(1), 'ms')
}

async function manyClients(
  findings: Findings,
  data: string,
  days: BusyDay[],
  { count, ms }: { count: number; ms: number },
) {
  const server = await startBackbook(data, { logsTo: 'ignore' })
  const clients = Array.from({ length: count }, (_, i) => ({
    ...clientOf(days[i % days.length]!, { speed: 0 }),
    bytesPerSecond: i % 2 === 0 ? null : SLOW_BYTES_PER_SECOND,
  }))
  const report = await watchMemory(findings, server.pid, () => replay(server, clients, ms))
  findings.answer('clients that failed', report.failedCount)
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  findings.note(
    `the fast clients read ${megabytes(report.fastBytes)} MB, the slow ones ${megabytes(report.slowBytes)} MB`,
  )
  await server.stop()
}

type Window = { speed: number; fromMs?: number; toMs?: number }

function clientOf({ market, fromMs }: BusyDay, window: Window): ReplayClientPlan {
  const { speed, fromMs: from = fromMs - 1, toMs: to = fromMs + DAY_MS - 1 } = window
  return {
    path: `/replay/kalshi/trade-api/ws/v2?from=${from}&to=${to}&speed=${speed}`,
    subscribe: {
      id: 1,
      cmd: 'subscribe',
      params: { channels: ['orderbook_delta', 'trade'], market_tickers: [market] },
    },
    bytesPerSecond: null,
    isTimed: false,
  }
}

async function replay(
  { url, headers }: BackbookServer,
  clients: ReplayClientPlan[],
  stopMs: number | null,
): Promise<ReplayReport> {
  const { hostname: host, port } = new URL(url)
  const plan: ReplayPlan = { host, port: Number(port), authorization: headers.authorization, clients, stopMs }
  const child = Bun.spawn([process.execPath, CLIENTS_FILE], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  child.stdin.write(JSON.stringify(plan))
  await child.stdin.end()
  return JSON.parse(await new Response(child.stdout).text()) as ReplayReport
}
