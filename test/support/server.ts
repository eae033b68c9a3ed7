// A whole app over a made-up catalogue and made-up workers, for tests of HTTP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Meter } from '../../src/accounts/usage/meter.ts'
import { builtInPlans } from '../../src/accounts/usage/plans.ts'
import { type AppDependencies, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Catalogue } from '../../storage/catalogue.ts'
import { NO_ORDER } from '../../storage/finding/provenance.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PageAnswer, PageRequest, SummaryAnswer, SummaryRequest, Workers } from '../../workers/requests.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import type { InFormat } from '../../workers/tasks/table-task.ts'

export const CONDITION = `0x${'ab'.repeat(32)}`
export const TICKER = 'KXTEST-26AUG10'
export const SECRET = `bb_${'k'.repeat(43)}`
export const AUTHORIZED = { authorization: `Bearer ${SECRET}` }

export const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** The methods may also return a value instead of a promise: the caller awaits it. */
type Answers<T> = {
  [K in keyof T]: T[K] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer | Promise<Answer>
    : T[K]
}

/** Returns a catalogue that holds one Polymarket and one Kalshi market. */
export function fakeCatalogue(changes: Partial<Answers<Catalogue>> = {}): Catalogue {
  const stored = { polymarket: [CONDITION], kalshi: [TICKER] }
  const entry = { firstDate: '2026-08-10', lastDate: '2026-08-12', dateCount: 2, recordCount: 9, revision: 1 }
  return {
    market: async (venue, market) => (stored[venue].includes(market) ? entry : undefined),
    revision: async (venue, market) => ({ revision: stored[venue].includes(market) ? 1 : 0, base: 0 }),
    markets: async (venue, { prefix, offset, limit }) => {
      const found = stored[venue].filter((market) => market.startsWith(prefix))
      return { markets: found.slice(offset, offset + limit), totalCount: found.length }
    },
    head: async () => undefined,
    heads: async () => [],
    neighbour: async () => undefined,
    stamp: async () => 'stamp',
    marketsStamp: async () => 'markets',
    slug: async () => undefined,
    cursorSecret: async () => new Uint8Array(32).fill(7),
    lastRecordMs: async () => null,
    partitions: async function* () {},
    putSlugs: async () => undefined,
    commit: async () => [],
    putMetadata: async () => undefined,
    putAudits: async () => undefined,
    audits: async () => [],
    putLoads: async () => undefined,
    provenanceStamp: async () => 0,
    loads: async () => [],
    removeLoads: async () => 0,
    sourceOrder: async () => NO_ORDER,
    putSourceOrder: async () => undefined,
    removeMetadata: async () => false,
    knownMarket: async () => undefined,
    tokens: async () => new Map(),
    foundMarkets: async () => [],
    event: async () => undefined,
    events: async () => [],
    search: async () => [],
    calendar: async () => [],
    calendarEnds: async () => undefined,
    busiest: async () => ({ days: [], totalCount: 0 }),
    ...(changes as Partial<Catalogue>),
  }
}

export type FakeWorkers = Workers & { summaries: SummaryRequest[]; pages: PageRequest[] }

/** Answers of the workers, by the name of the task. */
type FakeAnswers = { summary?: ValueOrTask<SummaryAnswer>; page?: ValueOrTask<PageAnswer> }
type ValueOrTask<T> = T | (() => Promise<T>)

/** Returns workers that record their calls. They answer with no rows, or with `answers`. */
export function fakeWorkers(answers: FakeAnswers = {}): FakeWorkers {
  const data = { bytes: jsonBytes([]) }
  const page: PageAnswer = { dataCount: 0, hasMore: false, totalCount: null, next: null, data }
  const summaries: SummaryRequest[] = []
  const pages: PageRequest[] = []
  const nothing = (task: string, request: unknown): object => {
    if (task === summaryTask.name) {
      const { encoding: _, ...summaryRequest } = request as InFormat<SummaryRequest>
      summaries.push(summaryRequest)
      return { dataPoints: 0, data }
    }
    pages.push(request as PageRequest)
    return { ...page, totalCount: 'date' in (request as PageRequest).scope ? 0 : null }
  }
  return {
    summaries,
    pages,
    async ask(task, request) {
      const answer = nothing(task.name, request)
      const fakeAnswer = answers[task.name as keyof FakeAnswers] ?? answer
      return (typeof fakeAnswer === 'function' ? await fakeAnswer() : fakeAnswer) as never
    },
    stats: () => ({ threads: 2, running: 0, queued: 0, queueMax: 9, completed: 0 }),
    close: async () => undefined,
  }
}

const notHere = () => Promise.reject(new Error('this test brings no such accounts'))

/** Accounts that know one key, `SECRET`, and count nothing. Tests replace what they need. */
export const fakeAccounts: AppDependencies['accounts'] = {
  plans: builtInPlans(),
  authenticate: (secret) =>
    secret === SECRET
      ? { ok: true, key: { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'free', scopes: null } }
      : { ok: false, reason: secret.includes('revoked') ? 'revoked' : 'unknown' },
  isActive: async () => true,
  /** Each app gets a new meter: the requests of one test must not use up the plan of another. */
  get meter() {
    return new Meter({ plans: builtInPlans(), readCalls: async () => 0, record: () => undefined })
  },
  createKey: async ({ userId, name, expiresAt = null, scopes = null }) => ({
    keyId: 'key_1',
    secret: SECRET,
    userId,
    name,
    createdAt: '2026-08-10T00:00:00.000Z',
    expiresAt,
    scopes,
  }),
  rotateKey: notHere,
  revokeKey: notHere,
  readKey: notHere,
  listKeys: notHere,
  usage: notHere,
  requestCount: notHere,
  hourCounts: notHere,
  recentRequests: notHere,
  statistics: notHere,
  popularMarkets: notHere,
  billing: null,
  check: async () => undefined,
  unwritten: () => ({ requests: 0, seconds: 0 }),
}

/** Allows management from this machine and metrics for everyone, and caches nothing. */
export const NO_TOKENS = {
  ...readConfig({}, 1),
  answerCacheBytes: 0,
  data: join(tmpdir(), 'backbook-has-no-files'),
  dayFilesBytes: 2 ** 20,
  connectionsMax: 100,
  connectionsPerKeyMax: 10,
}

export function testApp(changes: Partial<AppDependencies> = {}) {
  return createApp({
    catalogue: fakeCatalogue(),
    workers: fakeWorkers(),
    accounts: fakeAccounts,
    config: NO_TOKENS,
    clientAddress: () => '127.0.0.1',
    nowMs: () => Date.UTC(2026, 7, 12, 12),
    log: () => undefined,
    ...changes,
  })
}

export type Answer = { status: number; headers: Headers; body: unknown; text: string }

/** Sends one request to an app. Sends the key, unless `init` has headers. */
export async function ask(
  app: { fetch(request: Request): Response | Promise<Response> },
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers: AUTHORIZED, ...init }))
  const text = await response.text()
  const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false)
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text }
}

export function head(changes: Partial<PartitionHead> = {}): PartitionHead {
  return {
    version: 2,
    revision: 1,
    nextId: 1,
    recordCount: 0,
    tradeCount: 0,
    firstMs: 0,
    lastMs: 0,
    blocks: [],
    rollups: [],
    books: [],
    gaps: [],
    inferredGaps: [],
    looseSnapshots: [],
    edits: [],
    ...changes,
  }
}

/** Makes a folder that is removed when the block ends: `using folder = temporaryFolder()`. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'backbook-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
