// long: a folder and a cluster answer every question
// Goal: a server on a folder and a node of a cluster that have loaded the same data give the same answers: status,
// headers, entity tag, cursors and every byte, for every market endpoint in every format, for replays and for what a
// stream sends next.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clusterVariables } from '../../../src/config/cluster-config.ts'
import { ENDPOINTS } from '../../../src/questions/routes/market-endpoint.ts'
import { KALSHI_PATH } from '../../../src/replay/venues/kalshi/protocol.ts'
import { POLYMARKET_PATH } from '../../../src/replay/venues/polymarket/protocol.ts'
import { RECORDS_PATH } from '../../../src/replay-endpoints.ts'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import { openStoreAt } from '../../../storage/open-store.ts'
import { SECRET_KEY } from '../../../storage/rows/keys.ts'
import { storeRow } from '../../../storage/rows/store-values.ts'
import { VENUES } from '../../../storage/venue.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { kalshiDelta, kalshiGap, kalshiSnapshot, capture as linesOf, received, TICKER } from '../../model/lines.ts'
import { effort, IS_LONG } from '../../run/effort.ts'
import { allCaptures, capture, hasCaptures } from '../../support/captures.ts'
import { ENGINES_SKIPPED, HAS_ENGINES } from '../../support/cluster/engines.ts'
import { requestsAbout, type StoredDay, storedDays } from '../../support/compare/registry-requests.ts'
import { DEMO, type ServedDemo, serveDemo } from '../../support/demo.ts'
import { runProcess } from '../../support/programs/program.ts'
import { ReplayClient } from '../../support/replay/replay-server.ts'

const documents = (folder: string) =>
  readdirSync(capture(folder))
    .filter((name) => /json$/.test(name))
    .map((name) => capture(`${folder}/${name}`))
    .slice(0, effort(3, 100))

const DAY = IS_LONG ? DEMO : syntheticDay({ date: DEMO.date, kalshiRecords: 4_000, polymarketRecords: 2_000 })
const FILE_BYTES_MAX = effort(30_000, Number.POSITIVE_INFINITY)
/** Real files to load in addition to `DAY`. Archives are left out, because they are imported. */
const FILES = hasCaptures
  ? [
      ...allCaptures().filter((file) => !file.startsWith(capture('archives'))),
      ...[...documents('kalshi'), ...documents('polymarket/gamma')],
    ].filter((file) => statSync(file).size <= FILE_BYTES_MAX)
  : []
/** Returns the days for requests. The markets of a venue and date are similar, so a usual run takes only one of
 *  them. */
const chosenDays = (days: readonly StoredDay[]) =>
  [...Map.groupBy(days, ({ venue, date }) => `${venue} ${date}`).values()].flatMap((alike) =>
    alike.slice(-effort(1, alike.length)),
  )
const ID = { 'x-request-id': 'the-same' }
const UNLIMITED = { id: 'free', name: 'Free', calls_per_month: 1e9, calls_per_second: 1e5, burst: 1e6 }

function suite() {
  let folder: ServedDemo
  let node: ServedDemo
  let days: StoredDay[]

  beforeAll(async () => {
    const stored = { day: DAY, files: FILES, loadingMs: Date.now(), plans: { default: 'free', plans: [UNLIMITED] } }
    folder = await serveDemo({ ...stored, kind: 'lmdb' })
    node = await serveDemo({ ...stored, kind: 'engines' })
    const store = await openStoreAt(folder.place, { mayWrite: false })
    days = await storedDays(store)
    await shareSecret(await store.catalogue.cursorSecret(), node)
    await store.close()
  }, 300_000)
  afterAll(async () => {
    await folder[Symbol.asyncDispose]()
    await node[Symbol.asyncDispose]()
  }, 60_000)

  async function expectSame(path: string): Promise<Answer> {
    const answers = await Promise.all([folder, node].map(async (server) => read(await server.get(path, ID))))
    const [expected, given] = answers as [Answer, Answer]
    expect({ path, ...given }).toEqual({ path, ...expected })
    return expected
  }

  test.each(ENDPOINTS.filter(({ isAlias }) => !isAlias))(
    '$route',
    async (endpoint) => {
      const statuses = new Set<number>()
      for (const path of requestsAbout(endpoint, chosenDays(days))) {
        const { status, cursor } = await expectSame(path)
        statuses.add(status)
        if (cursor !== null) await expectSame(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)
      }
      expect(statuses).toContain(200)
    },
    300_000,
  )

  test.each([
    [200, `/lookup/slug?slug=${DEMO.slug}`],
    [404, '/lookup/slug?slug=no-such-slug'],
    [404, `/kalshi/market/data?ticker=NOTHING&date=${DEMO.date}`],
    [400, `/kalshi/market/data?ticker=${DEMO.kalshiTicker}`],
  ])('%d %s', async (status, path) => {
    expect((await expectSame(path)).status).toBe(status)
  })

  test.each(VENUES)(
    'every record of %s in a replay, and in its protocol',
    async (venue) => {
      const about = days.filter((day) => day.venue === venue)
      const dates = about.map(({ date }) => date).sort()
      const window = `from=${dates[0]}&to=${dates.at(-1)}&speed=0`
      const markets = [...new Set(about.map(({ market }) => market))]
      const books = [...new Set(about.flatMap((day) => day.books))]
      const subscribe =
        venue === 'kalshi'
          ? { id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta', 'trade'], market_tickers: markets } }
          : { type: 'market', assets_ids: books }
      const named = markets.map((market) => `${venue}:${market}`).join(',')
      await expectSameReplay(`${RECORDS_PATH}?${window}&markets=${named}`)
      await expectSameReplay(`${venue === 'kalshi' ? KALSHI_PATH : POLYMARKET_PATH}?${window}`, subscribe)
    },
    300_000,
  )

  async function expectSameReplay(path: string, message?: object): Promise<void> {
    const replays = await Promise.all(
      [folder, node].map(async (server) => {
        const client = clientOf(server, path)
        if (message !== undefined) await client.send(message)
        return { ...(await client.closed), frames: client.frames }
      }),
    )
    const [expected, given] = replays as [Replayed, Replayed]
    expect(expected.frames.length).toBeGreaterThan(1_000)
    expectSameFrames(given.frames, expected.frames)
    expect({ ...given, frames: [] }).toEqual({ ...expected, frames: [] })
  }

  test('a stream, while more is loaded', async () => {
    const path = `/stream?markets=kalshi:${TICKER}&channels=records,book,quotes,trades`
    await loadBoth('begin', [received(0, kalshiSnapshot([['0.40', '5.00']]))])
    const clients = [folder, node].map((server) => clientOf(server, path))
    // Each client first receives four `begin` messages, the book, and its quote.
    for (const client of clients) await client.until(6)
    await loadBoth('on', [kalshiDelta(10, '0.41', '7.00'), kalshiDelta(20, '0.40', '-5.00'), kalshiGap(30)])
    for (const client of clients) await client.until(16)
    const [expected, given] = clients as [ReplayClient, ReplayClient]
    expectSameFrames(given.frames, expected.frames)
    expect(expected.messages.filter(({ type }) => type === 'gap')).toHaveLength(4)
    for (const client of clients) client.socket.close()
  }, 60_000)

  /** Loads in a separate process next to each server, as recorders do. */
  async function loadBoth(name: string, lines: Parameters<typeof linesOf>): Promise<void> {
    for (const { place } of [folder, node]) {
      const path = join(place.folder, `${name}.ndjson`)
      await Bun.write(path, linesOf(...lines))
      const env = clusterVariables(place.cluster)
      const { exitCode, err } = await runProcess(['ingest', path, '--data', place.folder], { env })
      expect([exitCode, exitCode === 0 ? '' : err]).toEqual([0, ''])
    }
  }
}

type Answer = { status: number; headers: Record<string, string>; cursor: string | null; body: string }
type Replayed = { code: number; reason: string; frames: string[] }

/** Matches the cursor of the next page in an answer that has one. */
const CURSOR = /"next_cursor":"([^"]+)"/
/** Matches the list of markets. Each store counts for itself how often the list has changed. */
const IS_LIST = /\/market\/list\b/

async function read(response: Response): Promise<Answer> {
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const headers = Object.fromEntries(response.headers)
  // These headers depend on the time of day.
  for (const name of ['date', 'ratelimit', ...(IS_LIST.test(response.url) ? ['etag'] : [])]) delete headers[name]
  // The compressed length depends on how the body was split into pieces. The test compares the body without
  // compression.
  if (headers['content-encoding'] !== undefined) delete headers['content-length']
  const cursor = CURSOR.exec(body.slice(0, 2_000))?.[1] ?? null
  return { status: response.status, headers, cursor, body }
}

function clientOf({ url, secret }: ServedDemo, path: string): ReplayClient {
  const headers = { authorization: `Bearer ${secret}` }
  return new ReplayClient(`${url.replace('http', 'ws')}${path}`, { headers })
}

/** Compares the frames one by one, and reports the first difference. */
function expectSameFrames(given: readonly string[], expected: readonly string[]): void {
  const at = expected.findIndex((frame, i) => frame !== given[i])
  expect(given[at]).toBe(expected[at]!)
  expect(given).toHaveLength(expected.length)
}

/** Sets the secret of a store. Stores sign entity tags and cursors with it. */
async function shareSecret(secret: Uint8Array, { place }: ServedDemo): Promise<void> {
  const rows = await openPostgresRows(place.cluster!.catalogue, { mayWrite: true })
  await rows.commit({ expect: [], put: [storeRow(SECRET_KEY, secret)], remove: [] })
  await rows.close()
}

if (HAS_ENGINES) describe('a folder and a cluster', suite)
else describe.skip(`a folder and a cluster: ${ENGINES_SKIPPED}`, () => test('are not compared', () => undefined))
