// Measures how fast a day's books are rebuilt from stored blocks and put into buckets, including reading and decoding.
// Calls the worker's code directly. For comparison, measures the book of tardis-dev alone, which gets the same records
// as objects made beforehand.

import type { Parts } from '../../storage/block-store.ts'
import { openStore, type Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import type { SummaryRequest } from '../../workers/requests.ts'
import type { BucketColumns } from '../../workers/summary/bucket-columns.ts'
import { BucketGrid } from '../../workers/summary/bucket-grid.ts'
import { releaseColumns } from '../../workers/summary/column-pool.ts'
import { partsOfSummary, planSummary, type SummaryPlan } from '../../workers/summary/plan-summary.ts'
import { summarize } from '../../workers/summary/summarize.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import { bookUpdates, type StoredDay } from '../datasets/book-updates.ts'
import { busyDays } from '../datasets/busy-days.ts'
import { captureStore } from '../datasets/capture-store.ts'
import { realCaptures } from '../datasets/real-captures.ts'
import { checksum } from '../measure/checksum.ts'
import { inTurn } from '../measure/timing.ts'
import { arePeersInstalled, loadTardis, NOT_INSTALLED, type TardisBook } from '../peers/installed-peers.ts'
import type { Findings, Topic, TopicContext } from '../topic.ts'

const REPETITIONS = 9
const DAY_MS = 86_400_000
const MICROS = 1e6

export const topic: Topic = {
  async prepare({ size }) {
    await busyDays(size)
    await realStore(size)
  },
  async run(context, findings) {
    const { data, usual, busiest } = await busyDays(context.size)
    if (context.withPeers && !arePeersInstalled()) findings.note(NOT_INSTALLED)
    await measure(findings, context, { name: 'busy day', data, day: usual[0]!, withPeer: true })
    const real = await realStore(context.size)
    if (real !== undefined) {
      const store = openStore(real)
      const day = await busiestOf(store)
      await store.close()
      await measure(findings, context, { name: 'real day', data: real, day, withPeer: true })
    }
    await measure(findings, context, { name: 'busiest day', data, day: busiest, withPeer: false })
  },
}

async function realStore(size: TopicContext['size']): Promise<string | undefined> {
  const files = realCaptures('kalshi', size)
  return files.length === 0 ? undefined : captureStore(`kalshi-${size}`, files)
}

type Measured = { name: string; data: string; day: StoredDay; withPeer: boolean }

async function measure(findings: Findings, context: TopicContext, { name, data, day, withPeer }: Measured) {
  const store = openStore(data)
  const repetitions = context.size === 'smoke' ? 2 : REPETITIONS
  const rate = (ms: number) => day.recordCount / (ms / 1_000)
  const question = await prepared(store, day)
  // Releases the columns as a worker does when an answer is sent, so that the next run reuses them.
  const ours = () => releaseColumns(bucketsOf(question))
  findings.answer(`${name}, records`, day.recordCount)
  findings.answer(`${name}, buckets at 1 s`, await checksumOf(store, day))
  if (!withPeer || !context.withPeers || !arePeersInstalled()) {
    findings.figure(`${name}, buckets at 1 s`, rate((await inTurn(repetitions, { ours })).ours), 'records/s')
    return store.close()
  }
  const { OrderBook } = await loadTardis()
  const { updates, endsQuote } = await bookUpdates(store, day)
  let book: TardisBook = new OrderBook()
  const theirs = () => {
    book = new OrderBook()
    for (const update of updates) book.update(update)
  }
  const withTop = () => {
    const read = new OrderBook()
    let sum = 0
    for (let i = 0; i < updates.length; i++) {
      read.update(updates[i]!)
      if (endsQuote[i]) sum += (read.bestBid()?.price ?? 0) + (read.bestAsk()?.price ?? 0)
    }
    return sum
  }
  const ms = await inTurn(repetitions, { ours, theirs, withTop })
  findings.figure(`${name}, buckets at 1 s`, rate(ms.ours), 'records/s')
  findings.figure(`${name}, tardis-dev's book alone`, rate(ms.theirs), 'records/s')
  findings.figure(`${name}, tardis-dev's book, best prices of each quote read`, rate(ms.withTop), 'records/s')
  findings.figure(`${name}, our rate / that of its book alone`, ms.theirs / ms.ours, 'ratio', { atLeast: 4 })
  findings.figure(`${name}, our rate / that of its book, prices read`, ms.withTop / ms.ours, 'ratio', { atLeast: 4 })
  findings.note(`${name}: both end at the same best prices: ${endsAlike(bucketsOf(question), book) ? 'yes' : 'NO'}`)
  await store.close()
}

/** The data that a summary of the day needs, already read. */
type Prepared = { request: SummaryRequest; plan: SummaryPlan; parts: Parts; grid: BucketGrid }

async function prepared({ catalogue, blocks }: Store, { market, date }: StoredDay): Promise<Prepared> {
  const request = requestOf(market, date)
  const days = await catalogue.heads('kalshi', market, { from: date, to: utcDate(request.toMs) })
  const grid = new BucketGrid(request.resolutionSeconds)
  const plan = planSummary(request, days, undefined, grid)
  return { request, plan, grid, parts: await blocks.fetch(partsOfSummary(request, plan, true)) }
}

const bucketsOf = ({ parts, request, plan, grid }: Prepared): BucketColumns => summarize(parts, request, plan, { grid })

function requestOf(market: string, date: string): SummaryRequest {
  const fromMs = Date.parse(date)
  const range = { fromMs, toMs: fromMs + DAY_MS - 1, nowMs: fromMs + 2 * DAY_MS }
  return { venue: 'kalshi', market, book: market, ...range, resolutionSeconds: 1, fill: 'none', timestampUnit: 'ms' }
}

/** Returns the checksum of the answer as a client sees it, independent of how buckets are held in memory or cut into
 *  chunks. */
async function checksumOf(store: Store, { market, date }: StoredDay): Promise<string> {
  const { head, chunks } = await summaryTask.answer(store, requestOf(market, date))
  return `${head.dataPoints}:${checksum(Buffer.concat([...{ [Symbol.iterator]: () => chunks }]))}`
}

function endsAlike({ count, bids, asks }: BucketColumns, book: TardisBook): boolean {
  const isSame = (micros: number, price: number | undefined) =>
    price === undefined ? micros < 0 : Math.round(price * MICROS) === micros
  return isSame(bids[count - 1]!, book.bestBid()?.price) && isSame(asks[count - 1]!, book.bestAsk()?.price)
}

async function busiestOf({ catalogue }: Store): Promise<StoredDay> {
  const days: StoredDay[] = []
  for await (const key of catalogue.partitions('kalshi')) {
    const { recordCount } = (await catalogue.head(key))!
    days.push({ ...key, recordCount })
  }
  return days.sort((a, b) => b.recordCount - a.recordCount)[0]!
}
