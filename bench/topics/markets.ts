// Measures `list` and `date-range` in a store with a million markets.

import { millionMarkets } from '../datasets/million-markets.ts'
import { checksum } from '../measure/checksum.ts'
import { type Asked, askBytes, drain } from '../measure/http-client.ts'
import { elapsedMs, medianMs } from '../measure/timing.ts'
import { requestsPerSecond, throughputClient } from '../measure/wrk.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Topic } from '../topic.ts'

const REPETITIONS = 50
const LIST = '/api/v1/kalshi/market/list'

export const topic: Topic = {
  prepare: async ({ size }) => void (await millionMarkets(size)),
  async run({ size }, findings) {
    const { data, marketCount, longMarket, ticker } = await millionMarkets(size)
    const server = await startBackbook(data)
    const repetitions = size === 'smoke' ? 3 : REPETITIONS
    const measure = (name: string, path: string) => measurePath(findings, server, { name, path, repetitions })
    const firstMs = await elapsedMs(() => drain(server, `${LIST}?limit=1000`))
    findings.figure('list, the first time: all are counted', firstMs, 'ms')
    await measure('list, 1,000 from the start', `${LIST}?limit=1000`)
    await measure('list, 1,000 from the middle', `${LIST}?limit=1000&offset=${Math.floor(marketCount / 2)}`)
    await measure('list, 1,000 at the end', `${LIST}?limit=1000&offset=${marketCount - 1_000}`)
    await measure('list, a prefix with 100 markets', `${LIST}?prefix=KXMANY-0012&limit=100`)
    await measure('date-range, one date', dateRange(ticker(marketCount >>> 1)))
    await measure('date-range, 400 dates', dateRange(longMarket))
    const rate = await requestsPerSecond(server, dateRange(ticker(7)), size)
    findings.figure(`date-range, by ${throughputClient(size)}`, rate, 'requests/s')
    await server.stop()
  },
}

type Measured = { name: string; path: string; repetitions: number }

async function measurePath(findings: Findings, server: Asked, { name, path, repetitions }: Measured): Promise<void> {
  findings.answer(name, checksum(await askBytes(server, path)))
  findings.figure(name, await medianMs(repetitions, () => drain(server, path)), 'ms')
}

const dateRange = (market: string) => `/api/v1/kalshi/market/date-range?ticker=${market}`
