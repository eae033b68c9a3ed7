// A connection of the recorder to the Kalshi test server: real sockets, real segments in a temporary folder, and a
// clock that the test controls.

import type { KeyObject } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConnectPacer } from '../../../src/record/connection/attempts.ts'
import { Connection } from '../../../src/record/connection/connection.ts'
import { openWebSocket } from '../../../src/record/connection/web-socket.ts'
import { RestHost } from '../../../src/record/rest/rest-host.ts'
import { recordedSegment } from '../../../src/record/segments/segment-files.ts'
import { ContradictedBooks } from '../../../src/record/status/contradicted-books.ts'
import { RecorderStats } from '../../../src/record/status/recorder-stats.ts'
import { signerOf } from '../../../src/record/venues/kalshi/signature.ts'
import { KalshiProtocol } from '../../../src/record/venues/kalshi/venue.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { FakeTime } from './fake-time.ts'
import { KalshiServer } from './kalshi-server.ts'

export const START_MS = Date.UTC(2026, 8, 1, 12)
/** A time within the weekly maintenance of the venue. */
const MAINTENANCE_MS = Date.UTC(2026, 8, 3, 7, 30)

/** A line of a segment; `raw` is the frame. */
export type Line = {
  raw?: string
  recv_ns?: number
  source?: string
  ticker?: string
  type?: string
  market?: string
  msg?: { reason: string; from: number; to: number; closed_by: string; expected?: number; got?: number }
  backbook?: string
  state?: string
  text?: string
  result?: string
  because?: string
}

export type RecordingOptions = {
  tickers: string[]
  /** The private key that signs requests, as PEM. */
  privateKey?: string
  publicKey?: KeyObject
  hasRest?: boolean
  auditsPerSecond?: number
  chunk?: number
  /** Whether the clock begins within the weekly maintenance. */
  isMaintenance?: boolean
}

export class KalshiRecording {
  readonly time: FakeTime
  readonly #all = new RecorderStats(START_MS)
  readonly stats = this.#all.venues.kalshi
  /** The problems in the status. */
  readonly problems = this.#all.problems
  /** Warnings about books, as `market reason`. */
  readonly warned: string[] = []
  readonly server: KalshiServer
  readonly folder = mkdtempSync(join(tmpdir(), 'backbook-kalshi-'))
  readonly refused: string[] = []
  readonly hints: string[] = []
  readonly connection: Connection
  readonly protocol: KalshiProtocol
  #markers = 0
  /** Number of requests that are not answered yet. */
  #pendingRequests = 0

  static async start(options: RecordingOptions): Promise<KalshiRecording> {
    let recording: KalshiRecording | undefined
    const nowMs = () => recording?.time.nowMs ?? START_MS
    const { publicKey } = options
    const server = await new KalshiServer({ nowMs, ...(publicKey === undefined ? {} : { publicKey }) }).start()
    recording = new KalshiRecording(server, options)
    recording.connection.add(options.tickers, null)
    recording.connection.start()
    await recording.time.advance(0)
    return recording
  }

  private constructor(server: KalshiServer, options: RecordingOptions) {
    this.server = server
    this.time = new FakeTime(options.isMaintenance === true ? MAINTENANCE_MS : START_MS)
    const { clock, timers } = this.time
    const random = () => 0.5
    const restLimits = { requestsPerSecond: 1_000, timeoutMs: 5_000, attempts: 1, bodyBytesMax: 1 << 20 }
    const variables = { KALSHI_PRIVATE_KEY: options.privateKey }
    const signAt = signerOf({ key_id: 'key-1' }, { folder: '/', variables })
    const sign = signAt && ((url: string) => signAt(url, this.time.nowMs))
    const stats = this.stats.discovery
    const context = { clock, timers, random, fetch: (url: string, init: RequestInit) => this.#fetch(url, init) }
    const rest =
      options.hasRest === true
        ? new RestHost({ url: server.restUrl, ...restLimits }, { ...context, stats, ...(sign && { sign }) })
        : null
    const books = new ContradictedBooks('kalshi', this.#all, (fields) => {
      const { market, reason } = fields as Record<string, string>
      this.warned.push(`${market} ${reason}`)
    })
    this.protocol = new KalshiProtocol({
      config: {
        wsUrl: server.wsUrl,
        auditsPerSecond: options.auditsPerSecond ?? 0,
        perConnection: 200,
        subscribeChunk: options.chunk ?? 100,
        replyMs: 10_000,
        resyncMs: 10_000,
      },
      rest,
      sign,
      timers,
      random,
      contradicted: (book, found) => books.set(book, found),
      hint: (market, kind) => void this.hints.push(`${kind} ${market}`),
    })
    this.connection = this.#connect()
  }

  #connect(): Connection {
    const { clock, timers } = this.time
    const feed = { add: () => undefined, closed: () => undefined }
    return new Connection({
      id: 'k',
      protocol: this.protocol,
      openSocket: openWebSocket(),
      openSegment: (header) => {
        const whole = { ...header, recorder: 'r', version: '0' }
        return recordedSegment(new SegmentWriter(this.folder, whole, clock.wallNs), feed)
      },
      clock,
      timers,
      random: () => 0.5,
      limits: {
        ...{ pingMs: 10_000, pongMs: 20_000, silenceMs: null, broadBooks: 1, rotateMs: null },
        ...{ backoffFromMs: 1_000, backoffToMs: 60_000, reconnectJitterMs: 750 },
        snapshotMs: 10_000,
      },
      pacer: new ConnectPacer(100),
      stats: this.stats,
      endsWithVenue: false,
      events: {
        refused: (books) => void this.refused.push(...books),
        opened: () => undefined,
        handshakeRefused: () => undefined,
        warn: () => undefined,
      },
    })
  }

  async stop(): Promise<void> {
    this.connection.stop()
    try {
      this.connection.flush()
    } finally {
      await this.server.stop()
      rmSync(this.folder, { recursive: true })
    }
  }

  /** Waits until a condition holds. Sockets do not follow the clock of the test. */
  async until(isSo: () => boolean): Promise<void> {
    const deadline = performance.now() + 4_000
    while (!isSo()) {
      if (performance.now() > deadline) throw new Error(`it did not come to ${isSo}`)
      await Bun.sleep(1)
    }
  }

  /** Waits until a connection is open and its books have arrived. */
  async settled(): Promise<void> {
    await this.until(() => this.connection.isOpen && this.connection.booksLost === 0)
  }

  /** Resolves when the recorder has read everything that the server sent. */
  async drained(): Promise<void> {
    const marker = `marker-${++this.#markers}`
    this.server.peers.at(-1)?.say({ type: marker })
    await this.until(() => this.stats.unknown.has(marker))
  }

  /** Advances the clock by seconds, and calls the connection's `look` each second. Messages and REST responses take no
   *  time. */
  async seconds(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await this.time.advance(1_000)
      this.connection.check()
      await this.#arrived()
    }
  }

  /** Resolves when everything that was sent, and every reply, has arrived. Messages do not overtake each other. */
  async #arrived(): Promise<void> {
    await this.until(() => this.#pendingRequests === 0)
    await this.time.advance(0)
    for (const peer of [...this.server.peers]) {
      if (peer.socket.isSilent) continue
      const marker = `marker-${++this.#markers}`
      peer.socket.ping(marker)
      await this.until(() => this.server.pongs.includes(marker) || !peer.socket.isOpen)
      if (!peer.say({ type: marker })) continue
      await this.until(() => this.stats.unknown.has(marker) || !peer.socket.isOpen)
    }
    await Bun.sleep(1)
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    this.#pendingRequests++
    try {
      const response = await fetch(url, init)
      return new Response(await response.arrayBuffer(), response)
    } finally {
      this.#pendingRequests--
    }
  }

  /** Advances the clock until the condition holds, for at most a minute. */
  async secondsUntil(isReached: () => boolean): Promise<void> {
    for (let second = 0; second < 60 && !isReached(); second++) await this.seconds(1)
    await this.until(isReached)
  }

  get segments(): string[] {
    this.connection.flush()
    const folder = join(this.folder, 'segments', 'new')
    const files = readdirSync(folder, { recursive: true }).map(String)
    return files
      .filter((file) => file.includes('.ndjson'))
      .map((file) => join(folder, file))
      .sort(bySocket)
  }

  /** Returns the lines of all segments, in the order of their sockets. */
  get lines(): Line[] {
    return this.segments.flatMap((path) => {
      const text = Bun.zstdDecompressSync(readFileSync(path)).toString()
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
    })
  }

  /** Returns the messages of a type that are stored as frames, parsed. */
  framesOf(type: string): { type: string; sid: number; seq: number; msg: Record<string, unknown> }[] {
    return this.lines
      .filter(({ raw, source }) => raw !== undefined && source === undefined)
      .map(({ raw }) => JSON.parse(raw!))
      .filter((message) => message.type === type)
  }

  /** Returns the gaps as `market reason from..to closed by`, in ms since the start. */
  get gaps(): string[] {
    return this.lines
      .filter(({ type }) => type === 'gap')
      .map(
        ({ market, msg }) =>
          `${market} ${msg!.reason} ${msg!.from - START_MS}..${msg!.to - START_MS} ${msg!.closed_by}`,
      )
  }

  states(name: string): Line[] {
    return this.lines.filter(({ backbook, state }) => backbook === 'state' && state === name)
  }
}

/** Sorts by socket number: …-k-10.ndjson.zst follows …-k-9.ndjson.zst. */
const bySocket = (a: string, b: string) => numberOf(a) - numberOf(b)
const numberOf = (path: string): number => Number(/-k-(\d+)/.exec(path)?.[1] ?? 0)
