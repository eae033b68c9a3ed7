// Collects usage and writes it every half second, so that a killed process loses less than its last second. A batch
// that cannot be written is retried; later requests go into the next batch.

import type { AccountsDatabase } from '../sql/accounts-database.ts'
import { CLOCKS, type Clocks } from '../sql/clocks.ts'
import { answeredMs, type Call } from './call.ts'
import { UsageBatch } from './usage-batch.ts'
import { deleteOldUsage, type MonthCalls, type StoredMarket, writeUsage } from './usage-store.ts'

const WRITE_EVERY_MS = 500
const REPORT_EVERY_MS = 60_000
const CLEAN_UP_EVERY_MS = 3_600_000
/** A clean-up is skipped if the calendar's clock was set forward or back by more than this since the last
 *  clean-up. */
const STEP_MS_MAX = 60_000

export type UsageWriterEvents = {
  written: (batch: UsageBatch, monthCalls: MonthCalls) => void
  /** Called for the first failed attempt, then once a minute while attempts fail. */
  failed: (error: unknown) => void
}

export type UsageWriterParts = {
  events: UsageWriterEvents
  storedMarket: StoredMarket
  clocks?: Clocks
  /** Runs a function repeatedly, until the returned function is called. */
  repeat?: (run: () => void, everyMs: number) => () => void
}

export class UsageWriter {
  readonly #database: AccountsDatabase
  readonly #events: UsageWriterEvents
  readonly #storedMarket: StoredMarket
  readonly #clocks: Clocks
  readonly #writer = crypto.randomUUID()
  readonly #stopWriting: () => void
  #open: UsageBatch
  /** Batches that are closed but not confirmed as written, oldest first. */
  #closed: UsageBatch[] = []
  #lastBatch = 0
  #writing: Promise<void> | undefined
  /** The next flush; begins when the running write has ended. */
  #next: Promise<void> | undefined
  #cleanedUp: { nowMs: number; elapsedMs: number }
  #reportedMs = Number.NEGATIVE_INFINITY
  /** Everything that was counted before this time is in the database; elapsed ms. */
  #completeMs: number

  constructor(database: AccountsDatabase, parts: UsageWriterParts) {
    const { events, storedMarket, clocks = CLOCKS, repeat = repeatedly } = parts
    this.#database = database
    this.#events = events
    this.#storedMarket = storedMarket
    this.#clocks = clocks
    const [nowMs, elapsedMs] = [clocks.nowMs(), clocks.elapsedMs()]
    this.#open = new UsageBatch(nowMs)
    this.#cleanedUp = { nowMs, elapsedMs }
    this.#completeMs = elapsedMs
    this.#stopWriting = repeat(() => void this.flush().then(this.#written, this.#notWritten), WRITE_EVERY_MS)
  }

  add(call: Call): void {
    if (!this.#open.holds(answeredMs(call))) this.#close(answeredMs(call))
    this.#open.add(call)
  }

  /** Resolves when everything added before is in the database. Rejects if it cannot be written now. */
  flush(): Promise<void> {
    this.#next ??= (this.#writing ?? Promise.resolve())
      // A failed write also fails the flushes that wait for it. Otherwise each of them would wait for the database in
      // turn.
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

  /** Returns the number of requests that are only in memory, and the maximum time that one of them has waited, s. */
  unwritten(): { requests: number; seconds: number } {
    const requests = this.#closed.reduce((sum, batch) => sum + batch.requests, this.#open.requests)
    return { requests, seconds: requests === 0 ? 0 : (this.#clocks.elapsedMs() - this.#completeMs) / 1000 }
  }

  async close(): Promise<void> {
    this.#stopWriting()
    await this.flush().catch(() => this.flush())
  }

  #written = () => {
    this.#reportedMs = Number.NEGATIVE_INFINITY
  }

  #notWritten = (error: unknown) => {
    const elapsedMs = this.#clocks.elapsedMs()
    if (elapsedMs - this.#reportedMs < REPORT_EVERY_MS) return
    this.#reportedMs = elapsedMs
    this.#events.failed(error)
  }

  #close(nowMs: number): void {
    if (this.#open.requests > 0) this.#closed.push(this.#open)
    this.#open = new UsageBatch(nowMs)
  }

  async #write(): Promise<void> {
    await this.#writeClosed()
    const closedMs = this.#clocks.elapsedMs()
    this.#close(this.#clocks.nowMs())
    await this.#writeClosed()
    this.#completeMs = closedMs
    await this.#cleanUp()
  }

  async #writeClosed(): Promise<void> {
    for (let batch = this.#closed[0]; batch; batch = this.#closed[0]) {
      const id = { writer: this.#writer, batch: this.#lastBatch + 1 }
      const monthCalls = await writeUsage(this.#database, batch, id, this.#storedMarket, this.#clocks.nowMs())
      this.#lastBatch += 1
      this.#closed.shift()
      this.#events.written(batch, monthCalls)
    }
  }

  /** Deletes old usage once an hour. Skips a clean-up if the clock was just set: a clock that is a year ahead for one
   *  moment would delete a year of rows. */
  async #cleanUp(): Promise<void> {
    const [nowMs, elapsedMs] = [this.#clocks.nowMs(), this.#clocks.elapsedMs()]
    const passedMs = elapsedMs - this.#cleanedUp.elapsedMs
    if (passedMs < CLEAN_UP_EVERY_MS) return
    const stepMs = Math.abs(nowMs - this.#cleanedUp.nowMs - passedMs)
    this.#cleanedUp = { nowMs, elapsedMs }
    if (stepMs <= STEP_MS_MAX) await deleteOldUsage(this.#database, nowMs)
  }
}

/** The timer does not keep the process alive. */
function repeatedly(run: () => void, everyMs: number): () => void {
  const timer = setInterval(run, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
