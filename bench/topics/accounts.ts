// Measures what the check of a key costs, and what a quota costs. Compares date-range with check and quota to
// date-range in the same app without a key check.

import { fileURLToPath } from 'node:url'
import { busyDays } from '../datasets/busy-days.ts'
import { checksum } from '../measure/checksum.ts'
import { askBytes } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { requestsPerSecond, throughputClient } from '../measure/wrk.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import { startProcess } from '../servers/server-process.ts'
import type { Topic } from '../topic.ts'

const OPEN_SERVER = fileURLToPath(new URL('../servers/open-date-range.ts', import.meta.url))
const TURNS = 3

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual } = await busyDays(size)
    const withKeys = await startBackbook(data)
    const withQuota = await startBackbook(data, { plan: 'starter' })
    const open = { ...(await startProcess([OPEN_SERVER, data])), headers: {} }
    const path = `/api/v1/kalshi/market/date-range?ticker=${usual[0]!.market}`
    const rates = { withKeys: [] as number[], withQuota: [] as number[], open: [] as number[] }
    for (let turn = 0; turn < (size === 'smoke' ? 1 : TURNS); turn++) {
      rates.withKeys.push(await requestsPerSecond(withKeys, path, size))
      rates.withQuota.push(await requestsPerSecond(withQuota, path, size))
      rates.open.push(await requestsPerSecond(open, path, size))
    }
    findings.note(`the client is ${throughputClient(size)}`)
    findings.figure('date-range with its key check', median(rates.withKeys), 'requests/s')
    findings.figure('date-range with a quota and its headers, too', median(rates.withQuota), 'requests/s')
    findings.figure('date-range without', median(rates.open), 'requests/s')
    const atLeast = 0.9
    findings.figure('with the key check / without', median(rates.withKeys) / median(rates.open), 'ratio', { atLeast })
    findings.figure('with a quota, too / without', median(rates.withQuota) / median(rates.open), 'ratio', { atLeast })
    findings.answer('with', checksum(await askBytes(withKeys, path)))
    findings.answer('without', checksum(await askBytes(open, path)))
    await open.stop()
    await withQuota.stop()
    await withKeys.stop()
  },
}
