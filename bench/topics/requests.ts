// Measures the two smallest queries in requests per second, compared with Elysia alone with the same schema and a fixed
// answer. The servers take turns, because the client shares the machine with them.

import { fileURLToPath } from 'node:url'
import { busyDays } from '../datasets/busy-days.ts'
import { checksum } from '../measure/checksum.ts'
import { type Asked, ask, askBytes } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { requestsPerSecond, throughputClient } from '../measure/wrk.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import { startProcess } from '../servers/server-process.ts'
import type { Topic } from '../topic.ts'

const BARE_ELYSIA = fileURLToPath(new URL('../servers/bare-elysia.ts', import.meta.url))
const TURNS = 3

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual } = await busyDays(size)
    const ours = await startBackbook(data)
    const bare = { ...(await startProcess([BARE_ELYSIA])), headers: {} }
    const paths = {
      '/health': '/health',
      'date-range': `/api/v1/kalshi/market/date-range?ticker=${usual[0]!.market}`,
    }
    findings.note(`the client is ${throughputClient(size)}`)
    for (const [name, path] of Object.entries(paths)) {
      const rates = { ours: [] as number[], bare: [] as number[] }
      for (let turn = 0; turn < (size === 'smoke' ? 1 : TURNS); turn++) {
        rates.ours.push(await requestsPerSecond(ours, path, size))
        rates.bare.push(await requestsPerSecond(bare, path, size))
      }
      findings.figure(name, median(rates.ours), 'requests/s')
      findings.figure(`${name}, Elysia alone`, median(rates.bare), 'requests/s')
      const ratio = median(rates.ours) / median(rates.bare)
      findings.figure(`${name} / Elysia alone`, ratio, 'ratio', { atLeast: 0.7 })
    }
    findings.answer('health', await healthOf(ours))
    findings.answer('date-range', checksum(await askBytes(ours, paths['date-range'])))
    await bare.stop()
    await ours.stop()
  },
}

const healthOf = async (server: Asked) => ((await (await ask(server, '/health')).json()) as { status: string }).status
