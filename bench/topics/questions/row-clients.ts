// Measures the server's memory with 64 clients that read full days as Arrow and Parquet, half of them slowly.

import { besideClients } from '../../clients/run-clients.ts'
import { busyDays } from '../../datasets/busy-days.ts'
import { drain } from '../../measure/http-client.ts'
import { watchMemory } from '../../measure/watched-memory.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Topic } from '../../topic.ts'

const SLOW_BYTES_PER_SECOND = 100_000
const CLIENTS = { smoke: 4, full: 64 }
const SECONDS = { smoke: 0.1, full: 12 }

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual, busiest } = await busyDays(size)
    // Logs are ignored: the server logs clients that leave in the middle of an answer, as these do at the end.
    const server = await startBackbook(data, { logsTo: 'ignore' })
    const pathsOf = ({ market, date }: { market: string; date: string }) =>
      ['arrow', 'parquet'].flatMap((format) => [
        `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=1&format=${format}`,
        `/api/v1/kalshi/market/trades?ticker=${market}&date=${date}&limit=100000&format=${format}`,
      ])
    for (const path of pathsOf(usual[0]!)) findings.answer(nameOf(path), await drain(server, path))

    const plan = {
      url: server.url,
      authorization: server.headers.authorization,
      paths: [...usual, busiest].flatMap(pathsOf),
      fastCount: CLIENTS[size] / 2,
      slowCount: CLIENTS[size] / 2,
      slowBytesPerSecond: SLOW_BYTES_PER_SECOND,
    }
    const report = await watchMemory(findings, server.pid, () =>
      besideClients(plan, () => Bun.sleep(1_000 * SECONDS[size])),
    )
    findings.answer('clients that failed', report.failedCount)
    const megabytes = (bytes: number) => Math.round(bytes / 1e6)
    findings.note(
      `the fast clients read ${megabytes(report.fastBytes)} MB, the slow ones ${megabytes(report.slowBytes)} MB`,
    )
    await server.stop()
  },
}

const nameOf = (path: string): string =>
  `${path.includes('trades') ? 'trades' : 'buckets'} as ${path.slice(path.lastIndexOf('=') + 1)}, bytes`
