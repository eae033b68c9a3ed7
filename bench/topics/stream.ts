// Measures subscribers of one market while another process commits: what a commit costs the server with one and with a
// thousand subscribers, and how long after the commit the subscribers have its messages.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore, type Store } from '../../storage/open-store.ts'
import { loadCapture } from '../../workers/load/load-capture.ts'
import { Random } from '../../workers/synthetic/random.ts'
import type { StreamedCommit, StreamPlan } from '../clients/stream-clients.ts'
import { median } from '../measure/median.ts'
import { ownMb } from '../measure/process-memory.ts'
import { cpuMs } from '../measure/processor-time.ts'
import { type BackbookServer, startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Size, Topic } from '../topic.ts'

const CLIENTS_FILE = fileURLToPath(new URL('../clients/stream-clients.ts', import.meta.url))
const MARKET = 'KXSTREAM'
const START_MS = Date.parse('2026-08-10T12:00:00Z')
const SUBSCRIBERS = { smoke: 5, full: 1_000 }
const COMMITS = { smoke: 3, full: 20 }
const RECORDS_EACH = { smoke: 20, full: 100 }
/** Pause between commits, so that each commit is reported separately. */
const BETWEEN_MS = { smoke: 50, full: 400 }
const WARM_UP = 5
/** Number of initial messages: the start of each of the two channels, and one book. */
const FIRST_MESSAGES = 3
const QUERY = `markets=kalshi:${MARKET}&channels=records,book`

export const topic: Topic = {
  prepare: async () => undefined,
  async run({ size }, findings) {
    const data = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    const store = openStore(data)
    const writer = new Writer(store, data)
    await writer.commit([writer.snapshot()])
    const settings = { CONNECTIONS_PER_KEY_MAX: '5000', CONNECTIONS_MAX: '5000' }
    const server = await startBackbook(data, { settings })
    const count = SUBSCRIBERS[size]
    const runs = {
      one: await streamed(server, writer, { kind: 'websocket', count: 1 }, size),
      many: await streamed(server, writer, { kind: 'websocket', count }, size),
      oneOfEvents: await streamed(server, writer, { kind: 'events', count: 1 }, size),
      events: await streamed(server, writer, { kind: 'events', count }, size),
    }
    await server.stop()
    await store.close()
    rmSync(data, { recursive: true })
    const name = count.toLocaleString('en-US')
    reportRun(findings, 'WebSocket, 1 subscriber', runs.one)
    reportRun(findings, `WebSocket, ${name} subscribers`, runs.many)
    reportRun(findings, 'server-sent events, 1 subscriber', runs.oneOfEvents)
    reportRun(findings, `server-sent events, ${name} subscribers`, runs.events)
    findings.answer('records of a commit', RECORDS_EACH[size])
  },
}

type Run = { cpuMs: number | undefined; firstMs: number[]; lastMs: number[]; mb: number | undefined }

function reportRun(findings: Findings, name: string, { cpuMs, firstMs, lastMs, mb }: Run): void {
  if (cpuMs !== undefined) findings.figure(`${name}: processor time of a commit`, cpuMs, 'ms')
  findings.figure(`${name}: from commit to the first message`, median(firstMs), 'ms')
  findings.figure(`${name}: from commit until all have all, slowest`, Math.max(...lastMs), 'ms', { atMost: 2_000 })
  if (mb !== undefined) findings.figure(`${name}: memory of the server, not mapped`, mb, 'MB')
}

async function streamed(
  server: BackbookServer,
  writer: Writer,
  of: Pick<StreamPlan, 'kind' | 'count'>,
  size: Size,
): Promise<Run> {
  const records = RECORDS_EACH[size]
  const { url, headers } = server
  const plan: StreamPlan = {
    ...{ url, query: QUERY, authorization: headers.authorization, ...of },
    ...{ firstMessages: FIRST_MESSAGES, messagesEach: 2 * records },
  }
  // Raises the limit of the runtime's HTTP client, which would delay the requests beyond it.
  const env = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '5000' }
  const child = Bun.spawn([process.execPath, CLIENTS_FILE], { env, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  child.stdin.write(JSON.stringify(plan))
  await child.stdin.flush()
  const lines = linesOf(child.stdout)
  await lines.next()
  const commit = async () => {
    const committedMs = await writer.commit(writer.deltas(records))
    const { firstMs, lastMs } = JSON.parse((await lines.next()).value as string) as StreamedCommit
    await Bun.sleep(BETWEEN_MS[size])
    return { first: firstMs - committedMs, last: lastMs - committedMs }
  }
  for (let i = 0; i < WARM_UP; i++) await commit()
  const idleMs = await cpuWhile(server, () => Bun.sleep(COMMITS[size] * BETWEEN_MS[size]))
  const firstMs: number[] = []
  const lastMs: number[] = []
  const busyMs = await cpuWhile(server, async () => {
    for (let i = 0; i < COMMITS[size]; i++) {
      const { first, last } = await commit()
      firstMs.push(first)
      lastMs.push(last)
    }
  })
  const mb = ownMb(server.pid)
  await child.stdin.end()
  await child.exited
  const cpu = busyMs === undefined || idleMs === undefined ? undefined : (busyMs - idleMs) / COMMITS[size]
  return { cpuMs: cpu === undefined ? undefined : Math.max(cpu, 0.01), firstMs, lastMs, mb }
}

async function cpuWhile({ pid }: BackbookServer, work: () => Promise<unknown>): Promise<number | undefined> {
  const before = cpuMs(pid)
  await work()
  const after = cpuMs(pid)
  return before === undefined || after === undefined ? undefined : after - before
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of output) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}

/** Commits lines of one market, as a recorder in another process does. */
class Writer {
  readonly #store: Store
  readonly #folder: string
  readonly #random = new Random(1, 'stream')
  #seq = 0

  constructor(store: Store, folder: string) {
    this.#store = store
    this.#folder = folder
  }

  /** Resolves to the time of the commit, Unix ms. */
  async commit(lines: object[]): Promise<number> {
    const path = join(this.#folder, 'commit.ndjson')
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { recordsAdded } = await loadCapture(this.#store, this.#folder, path)
    if (recordsAdded !== lines.length) throw new Error(`${recordsAdded} of ${lines.length} records are new`)
    return performance.timeOrigin + performance.now()
  }

  snapshot(): object {
    const levels = Array.from({ length: 50 }, (_, i) => [((i + 1) / 100).toFixed(2), '100000.00'])
    const msg = { market_ticker: MARKET, yes_dollars_fp: levels.slice(0, 45), no_dollars_fp: levels.slice(0, 45) }
    return { recv_ms: START_MS, event: { type: 'orderbook_snapshot', sid: 1, seq: ++this.#seq, msg } }
  }

  /** Returns deltas, each of which changes one level. */
  deltas(count: number): object[] {
    return Array.from({ length: count }, () => {
      const seq = ++this.#seq
      const price = (this.#random.between(1, 45) / 100).toFixed(2)
      const change = { price_dollars: price, delta_fp: `${this.#random.between(1, 99)}.00`, side: 'yes' }
      const msg = { market_ticker: MARKET, ...change, ts_ms: START_MS + 7 * seq }
      return { type: 'orderbook_delta', sid: 1, seq, msg }
    })
  }
}
