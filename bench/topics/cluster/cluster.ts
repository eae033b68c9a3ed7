// Compares a store on objects and PostgreSQL with a store on LMDB, in one process: loading, a flush of many markets,
// and reads by nodes with cold and with warm caches.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BlockStore,
  nameOfPart,
  type PartitionBooks,
  type PartRef,
  type Parts,
} from '../../../storage/block-store.ts'
import type { Catalogue, MarketChange } from '../../../storage/catalogue.ts'
import { ChangeNotices, noticeMemory } from '../../../storage/cluster/change-notices.ts'
import { compact } from '../../../storage/cluster/upkeep/compact.ts'
import { openStore, type Store } from '../../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { loadCapture } from '../../../workers/load/load-capture.ts'
import { answerPage } from '../../../workers/read/answer-page.ts'
import { kalshiBusyTicker } from '../../../workers/synthetic/kalshi-day.ts'
import { summaryTask } from '../../../workers/tasks/summary.ts'
import { manyMarkets, tickerOf } from '../../datasets/many-markets.ts'
import { CAPTURE_DATE, usualCapture } from '../../datasets/synthetic-capture.ts'
import { checksum } from '../../measure/checksum.ts'
import { median } from '../../measure/median.ts'
import { elapsedMs, inTurn } from '../../measure/timing.ts'
import {
  type BenchCluster,
  DOUBLES,
  type Engines,
  NO_ENGINES,
  newCluster,
  type OpenCluster,
  openCluster,
  removeCluster,
} from '../../servers/cluster-engines.ts'
import type { Findings, Size, Topic } from '../../topic.ts'
import { askNodes } from './nodes.ts'

const PAGE_RECORDS = 1_000
/** Multiplies the usual number of markets: 2,000 in all. */
const MARKETS_TIMES = 2
const REPETITIONS = { smoke: 3, full: 200 }
const COLD_REPETITIONS = { smoke: 2, full: 15 }

export const topic: Topic = {
  async prepare({ size }) {
    await usualCapture(size)
    await manyMarkets(size, MARKETS_TIMES)
  },
  async run({ size }, findings) {
    const place = await newCluster()
    if (place === DOUBLES) findings.note(NO_ENGINES)
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    const cluster = await openCluster(place, { cacheFolder: join(folder, 'cache') })
    const lmdb = openStore(join(folder, 'lmdb'))
    const stores = { lmdb, cluster }
    try {
      await load(findings, size, folder, stores)
      await flush(findings, size, folder, stores)
      await readCold(findings, 'before compaction', { size, folder, place })
      await compactDays(findings, cluster)
      const { ms, fetchedOfNeeded } = await readCold(findings, 'compacted', { size, folder, place })
      findings.figure('a date summary at 60 s from a cold node', ms, 'ms', { atMost: 25 })
      findings.figure('bytes fetched for it / needed', fetchedOfNeeded, 'ratio', { atMost: 1.1 })
      await readWarm(findings, size, folder, { place, lmdb })
      await lmdb.flushed()
      const path = `/api/v1/kalshi/market/date-range?ticker=${busy.market}`
      const data = join(folder, 'lmdb')
      if (place !== DOUBLES) await askNodes(findings, { size, folder, data, place: place as Engines, path })
    } finally {
      await Promise.all([lmdb.close(), cluster.close()])
      await removeCluster(place)
      rmSync(folder, { recursive: true })
    }
  },
}

type Stores = { lmdb: Store; cluster: OpenCluster }

/** Loads the same capture into both stores, after a first load that compiles the code. */
async function load(findings: Findings, size: Size, folder: string, stores: Stores): Promise<void> {
  const capture = await usualCapture(size)
  const warm = openStore(join(folder, 'warm'))
  await loadCapture(warm, folder, capture)
  await warm.close()
  const times = { lmdb: 0, cluster: 0 }
  for (const name of ['lmdb', 'cluster'] as const) {
    times[name] = await elapsedMs(async () => {
      await loadCapture(stores[name], folder, capture)
      await stores[name].flushed()
    })
  }
  findings.figure('a day of many markets, LMDB', times.lmdb, 'ms')
  findings.figure('a day of many markets, cluster', times.cluster, 'ms')
  findings.figure('loading, LMDB / cluster', times.lmdb / times.cluster, 'ratio', { atLeast: 0.7 })
}

/** Commits new records of many markets, as a recorder does. */
async function flush(findings: Findings, size: Size, folder: string, { lmdb, cluster }: Stores): Promise<void> {
  const { first, next, marketCount } = await manyMarkets(size, MARKETS_TIMES)
  const times = { lmdb: [] as number[], cluster: [] as number[] }
  const requests: number[] = []
  for (const [name, store] of [
    ['lmdb', lmdb],
    ['cluster', cluster],
  ] as const) {
    await loadCapture(store, folder, first)
    for (const { path } of next) {
      const before = requestsOf(cluster)
      let commitMs = 0
      const commit = async (changes: MarketChange[]) => {
        let refused: MarketChange[] = []
        commitMs += await elapsedMs(async () => {
          refused = await store.catalogue.commit(changes)
        })
        return refused
      }
      const get = (target: Catalogue, method: keyof Catalogue) =>
        method === 'commit' ? commit : (target[method] as () => unknown).bind(target)
      store.refresh()
      await loadCapture({ ...store, catalogue: new Proxy(store.catalogue, { get }) as Catalogue }, folder, path)
      times[name].push(commitMs)
      if (name === 'cluster') requests.push(requestsOf(cluster) - before)
    }
  }
  const name = `a flush of ${marketCount.toLocaleString('en-US')} markets`
  findings.figure(`${name}, LMDB`, median(times.lmdb.slice(1)), 'ms')
  findings.figure(`${name}, cluster`, median(times.cluster.slice(1)), 'ms', { atMost: 150 })
  findings.note(`${name}: ${median(requests)} object requests (3 at most)`)
}

function requestsOf({ counted }: OpenCluster): number {
  const { puts, reads } = counted()
  return puts + reads
}

const busy = { venue: 'kalshi', market: kalshiBusyTicker(CAPTURE_DATE), date: CAPTURE_DATE } as const

async function askSummary(store: Store, market: string = busy.market): Promise<string> {
  const fromMs = dateStartMs(CAPTURE_DATE)
  const range = { fromMs, toMs: fromMs + DAY_MS - 1, resolutionSeconds: 60, fill: 'observed' as const, nowMs: fromMs }
  store.refresh()
  const request = { venue: 'kalshi' as const, market, book: market, timestampUnit: 'ms' as const, ...range }
  const { chunks } = await summaryTask.answer(store, request)
  return checksumOf(chunks)
}

async function askPage(store: Store, offset: number): Promise<string> {
  store.refresh()
  const scope = { date: CAPTURE_DATE, offset }
  const { venue, market } = busy
  return checksumOf((await answerPage(store, { venue, market, book: null, limit: PAGE_RECORDS, scope })).chunks)
}

function checksumOf(chunks: Iterator<Uint8Array>): string {
  const bytes: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) bytes.push(next.value)
  return checksum(Buffer.concat(bytes))
}

/** Compacts the days. Before that, each day is spread over as many segments as it had commits. */
async function compactDays(findings: Findings, { parts }: OpenCluster): Promise<void> {
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count))
  const options = { before: utcDate(dateStartMs(CAPTURE_DATE) + DAY_MS) }
  const { partitions, damage } = await compact({ ...parts, nowMs: Date.now, randomBytes: random }, options)
  findings.note(`compacted: ${partitions} market days, ${damage.length} damaged`)
}

/** Queries a node whose row cache and piece cache are empty. Each query is about another market. */
async function readCold(
  findings: Findings,
  when: string,
  { size, folder, place }: { size: Size; folder: string; place: BenchCluster },
): Promise<Cold> {
  const times: number[] = []
  const reads: number[] = []
  let [fetched, needed] = [0, 0]
  for (let repetition = 0; repetition < COLD_REPETITIONS[size]; repetition++) {
    const cacheFolder = join(folder, `cold-${when}-${repetition}`)
    mkdirSync(cacheFolder)
    const cold = await openCluster(place, { cacheFolder })
    // Connects first: a running node has connected before its first query.
    await cold.catalogue.marketsStamp()
    const blocks = { fetch: (refs: PartRef[]) => fetchCounted(cold.blocks, refs, (bytes) => (needed += bytes)) }
    times.push(await elapsedMs(() => askSummary({ ...cold, blocks }, tickerOf(repetition))))
    const counted = cold.counted()
    reads.push(counted.reads)
    fetched += counted.readBytes
    await cold.close()
  }
  const ms = median(times.slice(1))
  const requests = `${Math.max(...reads)} object requests at most`
  findings.note(`a date summary from a cold node, ${when}: ${requests}, ${ms.toFixed(1)} ms`)
  return { ms, fetchedOfNeeded: fetched / needed }
}

const bytesOf = ({ opening, closing }: PartitionBooks) => (opening?.length ?? 0) + (closing?.length ?? 0)

type Cold = { ms: number; fetchedOfNeeded: number }

async function fetchCounted(blocks: BlockStore, refs: PartRef[], needs: (bytes: number) => void): Promise<Parts> {
  const parts = await blocks.fetch(refs)
  const seen = new Set<string>()
  for (const { key, ...part } of refs) {
    const name = part.kind === 'books' ? 'books' : nameOfPart(part)
    if (seen.has(name)) continue
    seen.add(name)
    needs(part.kind === 'books' ? bytesOf(parts.books(key)) : parts.bytes(key, part).length)
  }
  return parts
}

async function readWarm(
  findings: Findings,
  size: Size,
  folder: string,
  { place, lmdb }: { place: BenchCluster; lmdb: Store },
): Promise<void> {
  // As in a node: the server receives change notifications, its threads read them from shared memory.
  const notices = new ChangeNotices(noticeMemory())
  const server = await openCluster(place, { cacheFolder: join(folder, 'cache'), listens: true, notices })
  while (!notices.isNotified) await Bun.sleep(10)
  const node = await openCluster(place, { cacheFolder: join(folder, 'cache'), notices })
  const offsets = Array.from(
    { length: REPETITIONS[size] },
    (_, index) => (index * 997) % (size === 'smoke' ? 1_000 : 90_000),
  )
  const turn = { lmdb: 0, cluster: 0 }
  const page = (name: keyof typeof turn, store: Store) => () => askPage(store, offsets[turn[name]++ % offsets.length]!)
  const [ours, theirs] = [await askSummary(node), await askSummary(lmdb)]
  if (ours !== theirs) throw new Error('the cluster answers another summary')
  if ((await askPage(node, 0)) !== (await askPage(lmdb, 0))) throw new Error('the cluster answers another page')
  const summary = await inTurn(REPETITIONS[size], { lmdb: () => askSummary(lmdb), cluster: () => askSummary(node) })
  const pages = await inTurn(REPETITIONS[size], { lmdb: page('lmdb', lmdb), cluster: page('cluster', node) })
  findings.figure('a warm date summary at 60 s, LMDB', summary.lmdb, 'ms')
  findings.figure('a warm date summary, cluster / LMDB', summary.cluster / summary.lmdb, 'ratio', { atMost: 1.2 })
  findings.figure('a warm page of 1,000, LMDB', pages.lmdb, 'ms')
  findings.figure('a warm page, cluster / LMDB', pages.cluster / pages.lmdb, 'ratio', { atMost: 1.3 })
  findings.answer('summary', ours)
  await Promise.all([node.close(), server.close()])
}
