// Measures how soon a fresh server answers: from the start of its process to the end of its first answers. The program
// and the store are in the system's page cache, as after a deployment.

import { busyDays } from '../datasets/busy-days.ts'
import { drain } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Topic } from '../topic.ts'

const STARTS = 5
const SOON = { atMost: 300 }

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual } = await busyDays(size)
    const { market, date } = usual[0]!
    const summary = `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=60`
    const times = { listening: [] as number[], health: [] as number[], summary: [] as number[] }
    let bytes = 0
    for (let start = 0; start < (size === 'smoke' ? 1 : STARTS); start++) {
      const server = await startBackbook(data)
      times.listening.push(server.listeningMs)
      await drain(server, '/health')
      times.health.push(performance.now() - server.startedMs)
      bytes = await drain(server, summary)
      times.summary.push(performance.now() - server.startedMs)
      await server.stop()
    }
    findings.figure('until it listens', median(times.listening), 'ms')
    findings.figure('until /health is answered', median(times.health), 'ms', SOON)
    findings.figure('until a date summary at 60 s is answered too', median(times.summary), 'ms', SOON)
    findings.answer('summary, bytes', bytes)
  },
}
