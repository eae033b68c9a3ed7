// Compares one request for a hundred markets with a hundred requests of 8 clients. Each measurement requests a new
// window over the same records.

import { askAll } from '../../clients/run-clients.ts'
import { hundredMarkets } from '../../datasets/hundred-markets.ts'
import { askBytes } from '../../measure/http-client.ts'
import { median } from '../../measure/median.ts'
import { windowOf } from '../../measure/new-questions.ts'
import { firstDifference } from '../../measure/same-values.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Topic } from '../../topic.ts'

const CLIENTS = 8
const WARM_UP = { smoke: 1, full: 8 }
const REPETITIONS = { smoke: 1, full: 15 }
const LONG_ENOUGH_S = 60

export const topic: Topic = {
  prepare: async ({ size }) => void (await hundredMarkets(size)),
  async run({ size }, findings) {
    const { data, tickers, fromMs } = await hundredMarkets(size)
    const server = await startBackbook(data)
    const about = (number: number) => `${windowOf(fromMs, number)}&resolution=60`
    const one = (number: number) => `/api/v1/kalshi/markets/orderbook-summary?tickers=${tickers}&${about(number)}`
    const each = (number: number) =>
      tickers.map((ticker) => `/api/v1/kalshi/market/orderbook-summary?ticker=${ticker}&${about(number)}`)

    const body = async (path: string) => JSON.parse(Buffer.from(await askBytes(server, path)).toString())
    const { markets } = await body(one(0))
    const alone = await Promise.all(each(0).map(async (path) => (await body(path)).data))
    const together = markets.map(({ data }: { data: unknown }) => data)
    const difference = firstDifference(together, alone)
    if (difference !== undefined) throw new Error(`a market says something else among others than alone: ${difference}`)
    findings.answer('markets', markets.length)
    findings.answer('buckets', together.flat().length)

    let number = 1
    const times = { together: [] as number[], alone: [] as number[] }
    const timed = async (paths: string[], clientCount: number) => {
      const { authorization } = server.headers
      const report = await askAll({ url: server.url, authorization, paths, clientCount, seconds: LONG_ENOUGH_S })
      return 1_000 * report.seconds
    }
    for (let i = 0; i < WARM_UP[size] + REPETITIONS[size]; i++) {
      const together = await timed([one(number++)], 1)
      const alone = await timed(each(number++), CLIENTS)
      if (i < WARM_UP[size]) continue
      times.together.push(together)
      times.alone.push(alone)
    }
    const [togetherMs, aloneMs] = [median(times.together), median(times.alone)]
    findings.figure('100 markets of 2,000 records at 60 s, one request', togetherMs, 'ms', { atMost: 60 })
    findings.figure(`100 requests of ${CLIENTS} clients`, aloneMs, 'ms')
    findings.figure('one request / 100 requests', togetherMs / aloneMs, 'ratio', { atMost: 1 })
    await server.stop()
  },
}
