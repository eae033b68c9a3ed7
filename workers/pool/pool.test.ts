// long: it waits for threads and processes
// The threads answer from the store, in one piece or in chunks, and a failure keeps its type and code. The tests await
// each promise of a pool themselves: `expect(promise).rejects` on a used pool can stop the whole run.

import { afterAll, describe, expect, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { inFolder } from '../../storage/open-store.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { dateRequest, TestStore } from '../../test/support/store.ts'
import type { AnswerBytes, PageRequest, SummaryRequest, TaskReport } from '../requests.ts'
import { pageTask } from '../tasks/page.ts'
import { summaryTask } from '../tasks/summary.ts'
import { createWorkers } from './pool.ts'

const RECORDS = 20_000

const store = new TestStore()
const deltas = Array.from({ length: RECORDS }, (_, ms) => kalshiDelta(ms, `0.${10 + (ms % 80)}00`, '1.00'))
await store.loadLines(
  'c.ndjson',
  [kalshiSnapshot([]), ...deltas].map((line) => JSON.stringify(line)),
)
await store.store.flushed()
const workers = createWorkers({ place: store.place, threads: 1, queueMax: 100 })

afterAll(async () => {
  await workers.close()
  await store.close()
})

const page = (limit: number, market = TICKER): PageRequest => ({
  venue: 'kalshi',
  market,
  book: null,
  limit,
  scope: { date: DAY, offset: 0 },
})
const summary = (resolutionSeconds: number, market = TICKER): SummaryRequest =>
  dateRequest('kalshi', market, market, DAY, resolutionSeconds, 'range')

async function read(data: AnswerBytes): Promise<{ value: unknown; chunks: number }> {
  if ('bytes' in data) return { value: JSON.parse(Buffer.from(data.bytes).toString()), chunks: 0 }
  const chunks: Uint8Array[] = []
  for await (const chunk of data.chunks) chunks.push(chunk)
  return { value: JSON.parse(Buffer.concat(chunks).toString()), chunks: chunks.length }
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: unknown) => error,
  )

describe('a short answer', () => {
  test('of records comes in one piece', async () => {
    const { data, ...head } = await workers.ask(pageTask, page(10))
    expect(head).toEqual({ dataCount: 10, hasMore: true, totalCount: RECORDS + 1, next: null })
    const { value, chunks } = await read(data)
    expect(chunks).toBe(0)
    expect(value).toEqual((await store.records('kalshi', TICKER, DAY)).slice(0, 10))
  })

  test('of buckets comes in one piece', async () => {
    const { data, dataPoints } = await workers.ask(summaryTask, summary(3_600))
    const { value, chunks } = await read(data)
    expect(chunks).toBe(0)
    expect(value).toEqual(await store.summary(summary(3_600)))
    expect(dataPoints).toBe((value as unknown[]).length)
  })

  test('of nothing is an empty array', async () => {
    const { data, dataCount } = await workers.ask(pageTask, { ...page(10), scope: { date: '2020-01-01', offset: 0 } })
    expect([dataCount, (await read(data)).value]).toEqual([0, []])
  })
})

describe('a long answer', () => {
  test('of records comes in chunks that are one array', async () => {
    const { data, dataCount } = await workers.ask(pageTask, page(100_000))
    const { value, chunks } = await read(data)
    expect(chunks).toBeGreaterThan(5)
    expect(dataCount).toBe(RECORDS + 1)
    expect(Bun.deepEquals(value, await store.records('kalshi', TICKER, DAY, 100_000))).toBe(true)
  })

  test('of buckets comes in chunks that are one array', async () => {
    const { data } = await workers.ask(summaryTask, summary(5))
    const { value, chunks } = await read(data)
    expect(chunks).toBeGreaterThan(5)
    expect(Bun.deepEquals(value, await store.summary(summary(5)))).toBe(true)
  })

  test('that waits for its client does not delay others', async () => {
    const slow = await workers.ask(pageTask, page(100_000))
    const quick = await workers.ask(pageTask, page(3))
    expect((await read(quick.data)).value).toEqual((await store.records('kalshi', TICKER, DAY)).slice(0, 3))
    expect(((await read(slow.data)).value as unknown[]).length).toBe(RECORDS + 1)
  })

  test('does not delay others, however many answers wait for their clients', async () => {
    // Requests more large answers than a thread works on at once.
    const small = createWorkers({ place: store.place, threads: 1, queueMax: 5 })
    const slow: AnswerBytes[] = []
    for (let each = 0; each < 20; each++) slow.push((await small.ask(pageTask, page(100_000))).data)
    expect(small.stats()).toMatchObject({ running: 20, queued: 0 })
    expect((await read((await small.ask(pageTask, page(3))).data)).value).toEqual(
      (await store.records('kalshi', TICKER, DAY)).slice(0, 3),
    )
    expect(((await read(slow[0]!)).value as unknown[]).length).toBe(RECORDS + 1)
    for (const data of slow) if ('chunks' in data) await data.chunks.return?.()
    await small.close()
  })

  test('ends its task if the client leaves early', async () => {
    for (let i = 0; i < 5; i++) {
      const { data } = await workers.ask(pageTask, page(100_000))
      if (!('chunks' in data)) throw new Error('the answer is too short to be left')
      for await (const chunk of data.chunks) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
    }
    // The next request on the same thread is answered after the abandoned tasks have ended.
    for (let i = 0; workers.stats().running > 0 && i < 100; i++) await workers.ask(pageTask, page(1))
    expect(workers.stats()).toMatchObject({ threads: 1, running: 0, queued: 0 })
  })

  test('reads many at once without mixing them', async () => {
    const limits = Array.from({ length: 12 }, (_, index) => 1_000 + 700 * index)
    const answers = await Promise.all(
      limits.map(async (limit) => read((await workers.ask(pageTask, page(limit))).data)),
    )
    expect(answers.map(({ value }) => (value as unknown[]).length)).toEqual(limits)
  })
})

describe('a failure', () => {
  test('comes through with its code', async () => {
    const notStored = { name: 'DataError', code: 'market_not_stored' }
    expect(await failureOf(workers.ask(pageTask, page(10, 'KXNONE')))).toMatchObject(notStored)
    expect(await failureOf(workers.ask(summaryTask, summary(60, 'KXNONE')))).toMatchObject(notStored)
    const after = { date: DAY, record: 999_999, revision: 1 }
    const stale = { ...page(10), scope: { fromMs: 0, toMs: 2e12, after } }
    expect(await failureOf(workers.ask(pageTask, stale))).toMatchObject({ name: 'DataError', code: 'cursor_stale' })
  })

  test('leaves the thread as it was', async () => {
    await failureOf(workers.ask(pageTask, page(10, 'KXNONE')))
    expect((await read((await workers.ask(pageTask, page(2))).data)).value).toEqual(
      (await store.records('kalshi', TICKER, DAY)).slice(0, 2),
    )
  })

  test('is overloaded if the queue is full, and only then', async () => {
    const small = createWorkers({ place: store.place, threads: 1, queueMax: 1 })
    const pending = Array.from({ length: 150 }, () => failureOf(small.ask(pageTask, page(10))))
    const answers = await Promise.all(pending)
    const failures = answers.filter((answer) => answer !== 'answered')
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.length).toBeLessThan(150)
    for (const failure of failures) expect(failure).toMatchObject({ name: 'DataError', code: 'overloaded' })
    expect(await failureOf(small.ask(pageTask, page(10)))).toBe('answered')
    await small.close()
  })

  test('is store_unavailable if the folder cannot be opened', async () => {
    await Bun.write(`${store.folder}/file`, '')
    const broken = createWorkers({ place: inFolder(`${store.folder}/file`), threads: 1, queueMax: 1 })
    expect(await failureOf(broken.ask(pageTask, page(10)))).toMatchObject({
      name: 'DataError',
      code: 'store_unavailable',
    })
    await broken.close()
  })
})

test('reports each task once, with its times, in the context of the caller', async () => {
  const context = new AsyncLocalStorage<string>()
  const reports: { of: string | undefined; report: TaskReport }[] = []
  const onTask = (report: TaskReport) => void reports.push({ of: context.getStore(), report })
  const watched = createWorkers({ place: store.place, threads: 1, queueMax: 1, onTask })
  const answered = async (name: string, answer: () => Promise<{ data: AnswerBytes }>) =>
    context.run(name, async () => read((await answer()).data))
  await answered('short', () => watched.ask(pageTask, page(10)))
  await answered('long', () => watched.ask(summaryTask, summary(5)))
  await context.run('missing', () => failureOf(watched.ask(pageTask, page(10, 'KXNONE'))))
  const [short, long, missing] = reports
  expect(reports.map(({ of, report }) => `${of}: ${report.kind} ${report.outcome}`)).toEqual([
    'short: page answered',
    'long: summary answered',
    'missing: page failed',
  ])
  for (const { report } of [short!, long!, missing!]) {
    if (!('times' in report)) throw new Error('a task that ended has times')
    expect(report.waitMs).toBeGreaterThanOrEqual(0)
    expect(report.times.readyMs).toBeGreaterThan(0)
  }
  reports.length = 0
  await Promise.all(Array.from({ length: 150 }, () => failureOf(watched.ask(pageTask, page(10)))))
  const refused = reports.filter(({ report }) => report.outcome === 'refused').length
  expect(reports.length).toBe(150)
  expect(refused).toBeGreaterThan(0)
  await watched.close()
})

test('data loaded later is answered without a new pool', async () => {
  await store.loadLines('later.ndjson', [JSON.stringify(kalshiDelta(RECORDS + 5, '0.5000', '1.00'))])
  const { totalCount } = await workers.ask(pageTask, page(1))
  expect(totalCount).toBe(RECORDS + 2)
})
