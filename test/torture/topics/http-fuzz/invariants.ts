// Invariants of answers to valid requests with any parameters: buckets have the right number and order, and all pages
// together equal the whole answer.

import type { Random } from '../../../../workers/synthetic/random.ts'
import type { Tally } from '../../topic.ts'
import { page, range } from '../load/paths.ts'
import type { Served } from '../load/served-store.ts'

type Summary = {
  data_points: number
  resolution_seconds: number
  data: { timestamp: number; best_bid: number | null; best_ask: number | null; quote_count: number }[]
}
type Page = { data_count: number; total_count: number; has_more: boolean; next_cursor: string | null; data: unknown[] }

const FILLS = ['observed', 'none', 'range'] as const

/** Throws if an invariant does not hold. */
export async function checkAnswers(server: Served, random: Random, tally: Tally): Promise<void> {
  for (let each = 0; each < 5; each++) {
    await checkSummary(server, random)
    tally.add('summaries checked')
  }
  await checkPages(server, random)
  tally.add('markets read in pages')
}

async function checkSummary(server: Served, random: Random): Promise<void> {
  const { kalshiTicker, date } = server.day
  const resolution = random.pick([1, 7, 60, 1 + random.below(3_600), 3_600])
  const fromMs = Date.parse(date) + random.below(86_000_000)
  const toMs = fromMs + random.below(Date.parse(date) + 86_400_000 - fromMs)
  const fill = random.pick(FILLS)
  const path =
    `/kalshi/market/orderbook-summary?ticker=${kalshiTicker}&start_timestamp=${fromMs}&end_timestamp=${toMs}` +
    `&resolution=${resolution}&fill=${fill}`
  const { data, data_points, resolution_seconds } = await ask<Summary>(server, path)
  const stepMs = resolution * 1_000
  // Buckets are aligned to the start of the day. Counts those that begin in the window.
  const dayMs = Date.parse(date)
  const count = Math.floor((toMs - dayMs) / stepMs) - Math.ceil((fromMs - dayMs) / stepMs) + 1
  const expect = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`${what}: ${path}`)
  }
  expect(data.length === data_points && resolution_seconds === resolution, 'the count of buckets')
  expect(fill === 'range' ? data.length === count : data.length <= count, `${data.length} buckets of ${count}`)
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { timestamp, best_bid, best_ask } of data) {
    expect(timestamp > lastMs && timestamp >= fromMs && timestamp <= toMs, `the time ${timestamp}`)
    expect((timestamp - dayMs) % stepMs === 0, `${timestamp} is no start of a bucket`)
    for (const price of [best_bid, best_ask]) expect(price === null || (price >= 0 && price <= 1), `the price ${price}`)
    lastMs = timestamp
  }
}

async function checkPages(server: Served, random: Random): Promise<void> {
  const whole = await ask<Page>(server, page(server.day, 10_000))
  if (whole.data.length !== whole.data_count) throw new Error(`${whole.data.length} of ${whole.data_count} records`)
  const byOffset: unknown[] = []
  for (let hasMore = true; hasMore; ) {
    const limit = 1 + random.below(4_000)
    const part: Page = await ask(server, page(server.day, limit, byOffset.length))
    byOffset.push(...part.data)
    hasMore = part.has_more
    if (part.data.length > limit || hasMore !== byOffset.length < part.total_count) throw new Error('has_more is wrong')
  }
  const byCursor: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const part: Page = await ask(server, range(server.day, 1 + random.below(4_000), cursor))
    byCursor.push(...part.data)
    cursor = part.next_cursor
    if (part.has_more !== (cursor !== null)) throw new Error('has_more and next_cursor disagree')
  }
  if (byOffset.length !== whole.total_count) throw new Error(`${byOffset.length} records of ${whole.total_count}`)
  if (!Bun.deepEquals(byOffset, byCursor)) throw new Error('pages by offset and by cursor are not the same records')
  if (!Bun.deepEquals(byOffset.slice(0, 10_000), whole.data)) throw new Error('pages are not the whole')
}

async function ask<Answer>({ port, secret }: Served, path: string): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${secret}` } })
  if (answer.status !== 200) throw new Error(`${answer.status} of ${path}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}
