// Measures the recorder as users run it: a venue process sends 20,000 messages per second over WebSockets, `record`
// stores them, and a server beside it answers from what was committed.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../../storage/open-store.ts'
import { median } from '../../measure/median.ts'
import { type BackbookServer, startBackbook } from '../../servers/backbook-server.ts'
import type { Findings, Topic } from '../../topic.ts'

const FEED = join(import.meta.dir, '../../servers/kalshi-feed.ts')
const MAIN = join(import.meta.dir, '../../../src/main.ts')
const SIZES = {
  smoke: { markets: 20, perSecond: 100, seconds: 2, commitSeconds: 0.2 },
  full: { markets: 2_000, perSecond: 20_000, seconds: 60, commitSeconds: 5 },
}
const PER_CONNECTION = 200
const ASK_MS = 50
/** Number of markets that are queried. They are spread from the first market to the last, because a commit stores the
 *  markets one after the other. */
const ASKED = 4
/** Longest allowed time from the arrival of a message at the socket until an answer contains it, not counting the
 *  commit interval. */
const BEYOND_COMMIT_MS = 2_000
const MS_A_SECOND = 1_000
const STORED_MS_MAX = 120_000

export const topic: Topic = {
  async prepare() {},
  async run({ size }, findings) {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    await record(findings, SIZES[size], folder)
    rmSync(folder, { recursive: true })
  },
}

type Made = (typeof SIZES)['full']

async function record(findings: Findings, made: Made, folder: string): Promise<void> {
  const { markets, perSecond, seconds, commitSeconds } = made
  const data = join(folder, 'data')
  const feed = started([FEED, ...[markets, perSecond, seconds].map(String)])
  const port = Number(/:(\d+)$/.exec(await feed.line(/listening on (\S+)\n/))?.[1])
  const tickers = Array.from({ length: markets }, (_, index) => `KXBENCH-T${index}`)
  const kalshi = {
    ws_url: `ws://127.0.0.1:${port}/trade-api/ws/v2`,
    rest_url: '',
    tickers,
    per_connection: PER_CONNECTION,
  }
  const config = join(folder, 'record.json')
  writeFileSync(config, JSON.stringify({ commit_seconds: commitSeconds, disk_free_mb: 0, kalshi }))
  const recorder = started([MAIN, 'record', '--data', data, '--config', config])
  await recorder.line(/(recording)/)
  const server = await startBackbook(data, { logsTo: 'ignore' })
  const sampled = Array.from({ length: ASKED }, (_, i) => tickers[Math.floor((i * (markets - 1)) / (ASKED - 1))]!)
  const lags = new Lags(server, sampled)
  const { said, ms } = JSON.parse(await feed.line(/done (.*)\n/)) as { said: number; ms: number }
  const residentMb = residentMbOf(recorder.pid)
  const fedCpu = cpuSecondsOf(feed.pid)
  await allStored(data, said + markets)
  await lags.stop()
  const recordedCpu = cpuSecondsOf(recorder.pid)
  await server.stop()
  await recorder.stop()
  await feed.stop()
  findings.answer('messages said', said)
  findings.answer('records stored', await storedRecords(data))
  const rate = `${perSecond.toLocaleString('en')} messages/s of ${markets.toLocaleString('en')} markets`
  findings.figure(`${rate}: said`, (said / ms) * MS_A_SECOND, 'records/s', { atLeast: 0.98 * perSecond })
  findings.figure('from said to answered, p99', lags.at(0.99), 'ms', {
    atMost: commitSeconds * MS_A_SECOND + BEYOND_COMMIT_MS,
  })
  findings.figure('from said to answered, median of commits', lags.at(0.5), 'ms')
  findings.figure('cores of the recorder', recordedCpu / (ms / MS_A_SECOND), 'ratio')
  findings.figure('processor of the recorder, 1,000 messages', (recordedCpu * 1e6) / said, 'ms')
  findings.figure('processor of the venue, 1,000 messages', (fedCpu * 1e6) / said, 'ms')
  findings.figure('resident, recorder', residentMb, 'MB', { atMost: 600 })
}

/** Waits until the recorder has stored this many records, including its books. On a busy machine the recorder reads its
 *  sockets later than the venue writes to them. */
async function allStored(data: string, records: number): Promise<void> {
  const status = join(data, 'recorder/status.json')
  for (const startMs = Date.now(); Date.now() - startMs < STORED_MS_MAX; await Bun.sleep(ASK_MS)) {
    if (!existsSync(status)) continue
    const { loading } = JSON.parse(readFileSync(status, 'utf8')) as { loading: { records_added: number } }
    if (loading.records_added >= records) return
  }
}

/** Measures, for each commit, the age of the oldest message that is new in an answer. No message of the commit has
 *  waited longer. */
class Lags {
  readonly #waited: number[] = []
  /** Ages of the newest message in each market's first answer. Used if no later answer shows anything new, for example
   *  because everything is in one commit. */
  readonly #first: number[] = []
  readonly #done: Promise<void>
  #isOver = false

  constructor(server: BackbookServer, tickers: string[]) {
    this.#done = this.#ask(server, tickers)
  }

  at(share: number): number {
    const sorted = (this.#waited.length > 0 ? this.#waited : this.#first).toSorted((a, b) => a - b)
    return share === 0.5 ? median(sorted) : (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }

  async #ask({ url, headers }: BackbookServer, tickers: string[]): Promise<void> {
    const before = new Map<string, number>()
    while (!this.#isOver) {
      for (const ticker of tickers) {
        const answer = await fetch(`${url}/kalshi/market/book?ticker=${ticker}&depth=1`, { headers })
        const { as_of: now } = answer.ok ? ((await answer.json()) as { as_of: number | null }) : { as_of: null }
        if (now === null) continue
        const shown = before.get(ticker) ?? now
        if (!before.has(ticker)) this.#first.push(Date.now() - now)
        // The oldest message that is new in this answer came soon after `shown`, the newest message of the previous
        // answer. So it has waited since about that time.
        if (now > shown) this.#waited.push(Date.now() - shown)
        before.set(ticker, now)
      }
      await Bun.sleep(ASK_MS)
    }
  }
}

function started(words: string[]) {
  const env = { ...process.env, LOG_LEVEL: 'warn' }
  const child = Bun.spawn([process.execPath, ...words], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let printed = ''
  return {
    pid: child.pid,
    /** Waits for a printed line that matches, and returns its first group. */
    async line(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(printed)?.[1]
        if (found !== undefined) return found
        const { value, done } = await reader.read()
        if (done) throw new Error(`${words[0]} ended: ${printed}`)
        printed += decoder.decode(value, { stream: true })
      }
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function storedRecords(folder: string): Promise<number> {
  const store = openStore(folder)
  let count = 0
  for await (const key of store.catalogue.partitions('kalshi')) {
    count += (await store.catalogue.head(key))?.recordCount ?? 0
  }
  await store.close()
  return count
}

/** Returns the processor time of all threads, user and kernel, from ticks of a hundredth of a second. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function residentMbOf(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kb) * 1_024) / 1e6
}
