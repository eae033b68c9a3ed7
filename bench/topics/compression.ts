// Measures the time of streamed, compressed answers, as a multiple of the time of the same answer uncompressed. Skips
// encodings that the server does not offer.

import { busyDays } from '../datasets/busy-days.ts'
import { type Asked, ask, drain, drainEncoded } from '../measure/http-client.ts'
import { medianMs } from '../measure/timing.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Topic } from '../topic.ts'

const ENCODINGS = ['zstd', 'gzip']
const REPETITIONS = 9

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual } = await busyDays(size)
    const { market, date } = usual[0]!
    // Runs without the answer cache, which would send the earlier answer again.
    const server = await startBackbook(data, { settings: { ANSWER_CACHE_MB: '0' } })
    const repetitions = size === 'smoke' ? 2 : REPETITIONS
    const paths = {
      'date at 1 s': `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=1`,
      'date at 60 s': `/api/v1/kalshi/market/orderbook-summary?ticker=${market}&date=${date}&resolution=60`,
      'page of 10,000 records': `/api/v1/kalshi/market/data?ticker=${market}&date=${date}&limit=10000`,
    }
    for (const [name, path] of Object.entries(paths)) await measure(findings, server, { name, path, repetitions })
    await server.stop()
  },
}

type Measured = { name: string; path: string; repetitions: number }

async function measure(findings: Findings, server: Asked, { name, path, repetitions }: Measured): Promise<void> {
  const length = await drain(server, path)
  // Threads take turns, and each must run the code several times before the engine has compiled it.
  for (let i = 0; i < repetitions; i++) await drain(server, path)
  const plainMs = await medianMs(repetitions, () => drain(server, path))
  findings.figure(`${name}, as it is`, plainMs, 'ms')
  findings.answer(`${name}, bytes`, length)
  for (const encoding of ENCODINGS) {
    const compressed = { ...server, headers: { ...server.headers, 'accept-encoding': encoding } }
    const response = await ask(compressed, path)
    const isOffered = response.headers.get('content-encoding') === encoding
    const { byteLength } = await response.arrayBuffer()
    if (!isOffered) {
      findings.note(`${name}: the server does not offer ${encoding}`)
      continue
    }
    if (byteLength !== length) throw new Error(`${path} is something else as ${encoding}`)
    const ms = await medianMs(repetitions, () => drainEncoded(compressed, path))
    findings.figure(`${name}, ${encoding}`, ms, 'ms')
    findings.figure(`${name}, ${encoding} / as it is`, ms / plainMs, 'ratio', { atMost: 2 })
  }
}
