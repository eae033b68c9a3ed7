// Replays without a network: a test controls the clock and the client of each session.

import type { ActiveKey } from '../../../src/accounts/keys/key-directory.ts'
import type { Opening, Socket, SocketSession } from '../../../src/http/sockets/socket.ts'
import type { ReplayTimers } from '../../../src/replay/timers.ts'
import { replayEndpoints } from '../../../src/replay-endpoints.ts'
import { DataError } from '../../../storage/failures.ts'
import type { Store } from '../../../storage/open-store.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Workers } from '../../../workers/requests.ts'

export class FakeTimers implements ReplayTimers {
  #nowMs = 0
  readonly #waiting = new Set<{ atMs: number; run: () => void }>()

  nowMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#waiting.add(timer)
    return () => void this.#waiting.delete(timer)
  }

  soon(run: () => void): void {
    setImmediate(run)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Moves the clock to the next timer that is due and runs it. If none is due, moves the clock to the given moment
   *  and returns false. */
  step(untilMs: number): boolean {
    const due = [...this.#waiting].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
    this.#nowMs = Math.max(this.#nowMs, due?.atMs ?? untilMs)
    if (due === undefined) return false
    this.#waiting.delete(due)
    due.run()
    return true
  }
}

/** A client that accepts everything, or only a number of messages until a test lets it accept more. */
export class FakeClient implements Socket {
  readonly frames: string[] = []
  /** Time at which each message was sent, by the clock of the test, ms. */
  readonly sentMs: number[] = []
  readonly ids: (string | undefined)[] = []
  readonly pings: string[] = []
  readonly failures: unknown[] = []
  closed: { code: number; reason: string } | undefined
  room = Number.POSITIVE_INFINITY
  /** Bytes that were sent to it and that it has not accepted yet. */
  untaken = 0
  readonly #session: SocketSession
  readonly #timers: ReplayTimers

  constructor(session: SocketSession, timers: ReplayTimers) {
    this.#session = session
    this.#timers = timers
  }

  send(text: string, id?: string): boolean {
    if (this.closed !== undefined) throw new Error('a message was sent behind the end')
    this.frames.push(text)
    this.ids.push(id)
    this.sentMs.push(this.#timers.nowMs())
    return --this.room > 0
  }

  waitingBytes(): number {
    return this.untaken
  }

  cork(send: () => void): boolean {
    send()
    return this.room > 0
  }

  ping(text: string): void {
    this.pings.push(text)
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason }
    this.#session.close(code)
  }

  fail(error: unknown): void {
    this.failures.push(error)
    this.close(1011, 'the server failed')
  }

  take(count: number): void {
    this.room = count
    this.#session.drain()
  }

  sendCommand(message: object | string): void {
    this.#session.message(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Returns all frames, parsed as JSON. */
  get messages(): Record<string, unknown>[] {
    return this.frames.map((frame) => JSON.parse(frame) as Record<string, unknown>)
  }
}

type Connecting = { protocols?: string[]; key?: ActiveKey | null; lastEventId?: string }

const KEY: ActiveKey = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null }

export class ReplayRig {
  readonly timers = new FakeTimers()
  /** Methods of the catalogue, in the order in which they were called. */
  readonly catalogueCalls: string[] = []
  /** Number of page requests so far. */
  pages = 0
  /** Number of page requests that the workers refuse as overloaded, from the next one on. */
  refusals = 0
  readonly #endpoints: ReturnType<typeof replayEndpoints>
  #pending = 0

  constructor(store: Store) {
    const inProcess = answerInProcess(store)
    const ask: Workers['ask'] = async (task, request) => {
      if (task.name === 'replay-page') {
        this.pages++
        if (this.refusals-- > 0) throw new DataError('overloaded', 'Too many requests are being answered')
      }
      return inProcess.ask(task, request)
    }
    const workers = this.#counted({ ask })
    this.#endpoints = replayEndpoints({
      catalogue: this.#counted(store.catalogue, this.catalogueCalls),
      workers,
      timers: this.timers,
    })
  }

  /** Counts the pending calls of an object, and adds the names of its methods to `called`. `settle` waits for pending
   *  calls, so they take no time by the clock of the test. */
  #counted<Target extends object>(target: Target, called: string[] = []): Target {
    return new Proxy(target, {
      get: (of, name) => {
        const method = Reflect.get(of, name) as unknown
        if (typeof method !== 'function') return method
        return (...given: unknown[]) => {
          called.push(String(name))
          const answer = method.apply(of, given) as unknown
          if (!(answer instanceof Promise)) return answer
          this.#pending++
          return answer.finally(() => this.#pending--)
        }
      },
    })
  }

  /** Connects. Rejects if the server refuses the connection. */
  async connect(path: string, query: Record<string, string>, connecting: Connecting = {}): Promise<FakeClient> {
    const { protocols = [], key = KEY, lastEventId = null } = connecting
    const endpoint = this.#endpoints.find((each) => each.path === path)!
    const target = `${path}?${new URLSearchParams(query)}`
    const opening: Opening = { kind: 'websocket', query, key, address: '127.0.0.1', target, protocols, lastEventId }
    const { session } = await endpoint.accept(opening)
    const client = new FakeClient(session, this.timers)
    session.open(client)
    return client
  }

  /** Runs everything that takes no time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet = this.#pending > 0 ? 0 : quiet + 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Advances the clock by `ms`, timer by timer. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.timers.nowMs() + ms
    do await this.settle()
    while (this.timers.step(untilMs))
    await this.settle()
  }
}
