// Measures 64 clients that stream full days at once, half of them slowly. Compares the latency of a short summary
// meanwhile with its latency alone, and measures the server's memory.

import { besideClients } from '../clients/run-clients.ts'
import type { StreamingPlan } from '../clients/streaming-clients.ts'
import { type BusyDays, busyDays } from '../datasets/busy-days.ts'
import { drain } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { forgetPeak, peakMb, watchOwnMb } from '../measure/process-memory.ts'
import { elapsedMs } from '../measure/timing.ts'
import { type BackbookServer, startBackbook } from '../servers/backbook-server.ts'
import type { Size, Topic } from '../topic.ts'

const DAY_MS = 86_400_000
const WINDOW_MS = 300_000
const SLOW_BYTES_PER_SECOND = 100_000
const CLIENTS = { smoke: 4, full: 64 }
const ASKED = { smoke: 3, full: 40 }
const BETWEEN_MS = { smoke: 10, full: 150 }

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const days = await busyDays(size)
    // Logs are ignored: the server logs clients that leave in the middle of an answer, as these do at the end.
    const server = await startBackbook(days.data, { logsTo: 'ignore' })
    const path = shortPath(days)
    for (let i = 0; i < ASKED[size]; i++) await drain(server, path)
    const aloneMs = median(await askOften(server, path, size))
    findings.answer('short summary, bytes', await drain(server, path))

    forgetPeak(server.pid)
    let besideMs: number[] = []
    let ownPeakMb = 0
    const report = await besideClients(planOf(days, server, size), async () => {
      const endWatch = watchOwnMb(server.pid)
      besideMs = await askOften(server, path, size)
      ownPeakMb = endWatch()
    })
    findings.answer('clients that failed', report.failedCount)
    findings.figure('short summary, alone', aloneMs, 'ms')
    findings.figure('short summary, beside the clients', median(besideMs), 'ms')
    findings.figure('beside / alone', median(besideMs) / aloneMs, 'ratio', { atMost: 5 })
    findings.figure('short summary, beside the clients, slowest', Math.max(...besideMs), 'ms')
    const peak = peakMb(server.pid)
    if (peak !== undefined) findings.figure('resident memory of the server, peak', peak, 'MB', { atMost: 400 })
    if (ownPeakMb > 0) findings.figure('of it not mapped from the store, peak', ownPeakMb, 'MB')
    findings.note(
      `the fast clients read ${megabytes(report.fastBytes)} MB, the slow ones ${megabytes(report.slowBytes)} MB`,
    )
    await server.stop()
  },
}

/** Plans the clients' requests: whole days at 1 s and whole days of raw records, of many markets. */
function planOf({ usual, busiest }: BusyDays, { url, headers }: BackbookServer, size: Size): StreamingPlan {
  const count = CLIENTS[size]
  const paths = [...usual, busiest].flatMap(({ market, date, fromMs }) => [
    `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=1`,
    `/api/v1/kalshi/market/data/range?ticker=${market}&start_timestamp=${fromMs}&end_timestamp=${fromMs + DAY_MS - 1}&limit=100000`,
  ])
  return {
    url,
    authorization: headers.authorization,
    paths,
    fastCount: count / 2,
    slowCount: count / 2,
    slowBytesPerSecond: SLOW_BYTES_PER_SECOND,
  }
}

/** Returns a query for five minutes in the evening of a busy day, at 1 s. */
function shortPath({ usual }: BusyDays): string {
  const { market, fromMs } = usual[0]!
  const from = fromMs + DAY_MS - 4 * WINDOW_MS
  const window = `start_timestamp=${from}&end_timestamp=${from + WINDOW_MS - 1}`
  return `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&${window}&resolution=1`
}

async function askOften(server: BackbookServer, path: string, size: Size): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < ASKED[size]; i++) {
    times.push(await elapsedMs(() => drain(server, path)))
    await Bun.sleep(BETWEEN_MS[size])
  }
  return times
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)
