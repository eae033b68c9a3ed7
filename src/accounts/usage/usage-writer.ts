// Gathers usage and writes it every half second, so that a process that is killed loses less than the last second of
// it. A batch that cannot be written is kept and tried again; what comes meanwhile gathers in the next.

import type { AccountsDatabase } from '../sql/accounts-database.ts'
import { CLOCKS, type Clocks } from '../sql/clocks.ts'
import { answeredMs, type Call } from './call.ts'
import { UsageBatch } from './usage-batch.ts'
import { type MonthCalls, type StoredMarket, tidyUsage, writeUsage } from './usage-store.ts'

const WRITE_EVERY_MS = 500
const TELL_EVERY_MS = 60_000
const TIDY_EVERY_MS = 3_600_000
/** How far the calendar's clock may step between two tidyings, to be believed. */
const STEP_MS_MAX = 60_000

export type UsageWriterEvents = {
  written: (batch: UsageBatch, monthCalls: MonthCalls) => void
  /** Called for the first attempt that failed, and then once a minute while they do. */
  failed: (error: unknown) => void
}

export type UsageWriterParts = {
  events: UsageWriterEvents
  storedMarket: StoredMarket
  nowMs: Clocks['nowMs']
  elapsedMs?: Clocks['elapsedMs']
}

export class UsageWriter {
  readonly #database: AccountsDatabase
  readonly #events: UsageWriterEvents
  readonly #storedMarket: StoredMarket
  readonly #nowMs: () => number
  readonly #elapsedMs: () => number
  readonly #writer = crypto.randomUUID()
  readonly #timer: Timer
  #open: UsageBatch
  /** Closed and not known to be written, the oldest first. */
  #closed: UsageBatch[] = []
  #lastBatch = 0
  #writing: Promise<void> | undefined
  /** Begins when the running one has ended. */
  #next: Promise<void> | undefined
  #tidied: { nowMs: number; elapsedMs: number }
  #toldMs = Number.NEGATIVE_INFINITY
  /** Up to when all that was counted is in the database, on the clock of `performance.now()`. */
  #completeMs = performance.now()

  constructor(
    database: AccountsDatabase,
    { events, storedMarket, nowMs, elapsedMs = CLOCKS.elapsedMs }: UsageWriterParts,
  ) {
    this.#database = database
    this.#events = events
    this.#storedMarket = storedMarket
    this.#nowMs = nowMs
    this.#elapsedMs = elapsedMs
    this.#open = new UsageBatch(nowMs())
    this.#tidied = { nowMs: nowMs(), elapsedMs: elapsedMs() }
    this.#timer = setInterval(() => void this.flush().then(this.#written, this.#notWritten), WRITE_EVERY_MS)
    this.#timer.unref()
  }

  add(call: Call): void {
    if (!this.#open.holds(answeredMs(call))) this.#close(answeredMs(call))
    this.#open.add(call)
  }

  /** Resolves when all that was added before is in the database. Rejects when it cannot be written now; it is kept. */
  flush(): Promise<void> {
    this.#next ??= (this.#writing ?? Promise.resolve())
      // One that fails also fails those who wait behind it: each would wait as long, one after the other.
      .finally(() => {
        this.#next = undefined
      })
      .then(() => {
        this.#writing = this.#write().finally(() => {
          this.#writing = undefined
        })
        return this.#writing
      })
    return this.#next
  }

  /** Requests that are counted in memory only, and how long the oldest of them can have been. */
  unwritten(): { requests: number; seconds: number } {
    const requests = this.#closed.reduce((sum, batch) => sum + batch.requests, this.#open.requests)
    return { requests, seconds: requests === 0 ? 0 : (performance.now() - this.#completeMs) / 1000 }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush().catch(() => this.flush())
  }

  #written = () => {
    this.#toldMs = Number.NEGATIVE_INFINITY
  }

  #notWritten = (error: unknown) => {
    if (performance.now() - this.#toldMs < TELL_EVERY_MS) return
    this.#toldMs = performance.now()
    this.#events.failed(error)
  }

  #close(nowMs: number): void {
    if (this.#open.requests > 0) this.#closed.push(this.#open)
    this.#open = new UsageBatch(nowMs)
  }

  async #write(): Promise<void> {
    await this.#writeClosed()
    const closedMs = performance.now()
    this.#close(this.#nowMs())
    await this.#writeClosed()
    this.#completeMs = closedMs
    await this.#tidy()
  }

  async #writeClosed(): Promise<void> {
    for (let batch = this.#closed[0]; batch; batch = this.#closed[0]) {
      const id = { writer: this.#writer, batch: this.#lastBatch + 1 }
      const monthCalls = await writeUsage(this.#database, batch, id, this.#storedMarket, this.#nowMs())
      this.#lastBatch += 1
      this.#closed.shift()
      this.#events.written(batch, monthCalls)
    }
  }

  /** Each hour: rows that nobody can ask for any more. Not on the word of a clock that was just set: one that is a year
   *  ahead for a moment would cost a year. */
  async #tidy(): Promise<void> {
    const [nowMs, elapsedMs] = [this.#nowMs(), this.#elapsedMs()]
    const passedMs = elapsedMs - this.#tidied.elapsedMs
    if (passedMs < TIDY_EVERY_MS) return
    const stepMs = Math.abs(nowMs - this.#tidied.nowMs - passedMs)
    this.#tidied = { nowMs, elapsedMs }
    if (stepMs <= STEP_MS_MAX) await tidyUsage(this.#database, nowMs)
  }
}
