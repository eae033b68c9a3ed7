// long: it waits for threads and processes
// A thread that dies, is stuck or runs out of memory loses only its current work. The other requests are answered,
// another thread takes its place, and the failure is reported.

import { afterAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { listen } from '../../../src/http/server/listen.ts'
import { inFolder, openStore } from '../../../storage/open-store.ts'
import { createWorkers } from '../../../workers/pool/pool.ts'
import type { PageAnswer, PageRequest, TaskReport } from '../../../workers/requests.ts'
import { pageTask } from '../../../workers/tasks/page.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../model/lines.ts'
import { AUTHORIZED, ask, fakeCatalogue, testApp } from '../../support/server.ts'
import { TestStore } from '../../support/store.ts'

// Uses LMDB, because `faulty-task.ts` makes its catalogue fail.
const store = new TestStore(openStore)
const deltas = Array.from({ length: 20_000 }, (_, ms) => kalshiDelta(ms, `0.${10 + (ms % 80)}00`, '1.00'))
await store.loadLines(
  'c.ndjson',
  [kalshiSnapshot([]), ...deltas].map((line) => JSON.stringify(line)),
)
await store.store.flushed()
afterAll(() => store.close())

const entry = new URL('./faulty-task.ts', import.meta.url).href
const page = (market: string, limit = 10): PageRequest => ({
  venue: 'kalshi',
  market,
  book: null,
  limit,
  scope: { date: DAY, offset: 0 },
})

/** Interval of checks for stuck threads, ms. Tests of stuck threads use the short one. The others use the long one: on
 *  a busy machine, a thread that waits must not count as stuck. */
const OFTEN_MS = 200
const SELDOM_MS = 60_000

function faultyWorkers(threads: number, checkEveryMs = SELDOM_MS) {
  const ends: string[] = []
  const reports: TaskReport[] = []
  const workers = createWorkers({
    ...{ place: inFolder(store.folder), threads, queueMax: 100, entry, checkEveryMs },
    onThreadEnd: (reason) => void ends.push(reason),
    onTask: (report) => void reports.push(report),
  })
  const codeOf = (market: string) =>
    workers.ask(pageTask, page(market)).then(
      () => 'answered',
      (error: Error & { code?: string }) => error.code ?? error.message,
    )
  const read = async (asked: Promise<PageAnswer>) => {
    try {
      const { data } = await asked
      if ('chunks' in data) for await (const chunk of data.chunks) expect(chunk.length).toBeGreaterThan(0)
      return 'whole'
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    }
  }
  const outcomes = () => reports.map(({ outcome }) => outcome)
  return { workers, ends, outcomes, codeOf, read, [Symbol.asyncDispose]: () => workers.close() }
}

const until = async (isSo: () => boolean) => {
  for (let tries = 0; tries < 5_000 && !isSo(); tries++) await Bun.sleep(10)
}

describe('a thread', () => {
  test.each([
    ['KXEXIT', 'it exited with 3'],
    ['KXSTUCK', 'it was stuck, and was ended'],
  ])('that dies of a request (%s) costs it a work_lost, and the next is answered', async (market, reason) => {
    await using faulty = faultyWorkers(1, OFTEN_MS)
    expect(await faulty.codeOf(TICKER)).toBe('answered')
    expect(await faulty.codeOf(market)).toBe('work_lost')
    expect(await faulty.codeOf(TICKER)).toBe('answered')
    expect(faulty.ends).toEqual([reason])
    expect(faulty.outcomes()).toEqual(['answered', 'lost', 'answered'])
    expect(faulty.workers.stats()).toMatchObject({ threads: 1, running: 0, queued: 0 })
  })

  test.each(['KXOUTSIDE', 'KXREJECTED'])('that dies outside of any task (%s) is replaced', async (market) => {
    await using faulty = faultyWorkers(1)
    expect(await faulty.codeOf(market)).toBe('answered')
    // The thread runs its timers while it sends a long answer.
    for (let tries = 0; faulty.ends.length === 0 && tries < 100; tries++) {
      expect(['whole', 'work_lost']).toContain(await faulty.read(faulty.workers.ask(pageTask, page(TICKER, 20_000))))
    }
    expect(faulty.ends).toHaveLength(1)
    expect(await faulty.codeOf(TICKER)).toBe('answered')
  })

  test('that runs out of memory or has a bug continues with the other requests', async () => {
    await using faulty = faultyWorkers(1)
    const markets = [TICKER, 'KXMEMORY', 'KXBUG', TICKER]
    expect(await Promise.all(markets.map(faulty.codeOf))).toEqual([
      'answered',
      'work_lost',
      'a bug in a task',
      'answered',
    ])
    expect(faulty.ends).toEqual([])
    expect(faulty.outcomes().toSorted()).toEqual(['answered', 'answered', 'broken', 'failed'])
  })

  test('whose heap cannot grow any more affects no other thread, if the process has a limit', async () => {
    const script = `
      import { createWorkers } from '${join(import.meta.dir, '../../../workers/pool/pool.ts')}'
      import { pageTask } from '${join(import.meta.dir, '../../../workers/tasks/page.ts')}'
      const options = { place: { folder: '${store.folder}', cluster: null }, threads: 2, queueMax: 100, entry: '${entry}' }
      const workers = createWorkers(options)
      const codeOf = async (market) => {
        const request = { venue: 'kalshi', market, book: null, limit: 10, scope: { date: '${DAY}', offset: 0 } }
        return workers.ask(pageTask, request).then(() => 'answered', ({ code }) => code)
      }
      const codes = [await codeOf('${TICKER}'), await codeOf('KXHEAP'), await codeOf('${TICKER}')]
      console.log(JSON.stringify(codes))
      process.exit(0)`
    const child = Bun.spawn(['sh', '-c', 'ulimit -d 1000000 && exec "$0" -e "$1"', process.execPath, script], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    expect(JSON.parse(await child.stdout.text())).toEqual(['answered', 'work_lost', 'answered'])
  }, 180_000)

  test('that dies loses its other requests too, and none of other threads', async () => {
    await using faulty = faultyWorkers(2)
    const slow = await Promise.all([
      faulty.workers.ask(pageTask, page(TICKER, 20_000)),
      faulty.workers.ask(pageTask, page(TICKER, 20_000)),
    ])
    expect(await faulty.codeOf('KXEXIT')).toBe('work_lost')
    expect((await Promise.all(slow.map((answer) => faulty.read(Promise.resolve(answer))))).sort()).toEqual([
      'whole',
      'work_lost',
    ])
  })

  test('that waits for slow clients is not stuck', async () => {
    await using faulty = faultyWorkers(1, OFTEN_MS)
    const { data } = await faulty.workers.ask(pageTask, page(TICKER, 20_000))
    // The pause is longer than the number of checks after which a thread counts as stuck.
    await Bun.sleep(15 * OFTEN_MS)
    let bytes = 0
    if ('chunks' in data) for await (const chunk of data.chunks) bytes += chunk.length
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(faulty.ends).toEqual([])
  }, 180_000)

  test('that cannot start is started again as long as a request waits', async () => {
    await using faulty = faultyWorkers(1)
    expect(await faulty.codeOf(TICKER)).toBe('answered')
    const flag = join(store.folder, 'no-thread-starts')
    await Bun.write(flag, '')
    expect(await faulty.codeOf('KXEXIT')).toBe('work_lost')
    await until(() => faulty.ends.length > 1)
    expect(faulty.ends[1]).toBe('no thread starts')
    const waiting = faulty.codeOf(TICKER)
    await until(() => faulty.ends.length > 3)
    rmSync(flag)
    expect(await waiting).toBe('answered')
  }, 180_000)
})

describe('over HTTP', () => {
  const entryOf = { firstDate: DAY, lastDate: DAY, dateCount: 1, recordCount: 1, revision: 1 }
  const catalogue = fakeCatalogue({ market: () => entryOf })
  const path = (ticker: string, limit: number) => `/kalshi/market/data?ticker=${ticker}&date=${DAY}&limit=${limit}`

  test('its request gets a 503 that says when to retry', async () => {
    await using faulty = faultyWorkers(1, OFTEN_MS)
    const app = testApp({ workers: faulty.workers, catalogue })
    for (const ticker of ['KXEXIT', 'KXSTUCK', 'KXMEMORY']) {
      const { status, headers, body } = await ask(app, path(ticker, 1))
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(body).toMatchObject({ code: 'work_lost', title: 'The work on the request was lost' })
      expect((await ask(app, path(TICKER, 1))).status).toBe(200)
    }
    expect((await ask(app, path('KXBUG', 1))).body).toMatchObject({ code: 'internal', status: 500 })
  })

  test('the connection of an answer that had begun breaks, and does not end normally', async () => {
    await using faulty = faultyWorkers(1)
    const app = testApp({ workers: faulty.workers, catalogue })
    const server = listen(app.fetch, { host: '127.0.0.1', port: 0 })
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    socket.write(
      `GET ${path(TICKER, 10_000)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZED.authorization}\r\n\r\n`,
    )
    await once(socket, 'readable')
    expect(await faulty.codeOf('KXEXIT')).toBe('work_lost')
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    await new Promise((resolve) => socket.on('close', resolve))
    expect(text).toStartWith('HTTP/1.1 200 OK')
    expect(text).not.toEndWith('0\r\n\r\n')
    await server.stop(0)
  })
})
