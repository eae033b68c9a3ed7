// The reading thread's side of placing a capture in others: deals out its markets, and logs each message for the thread
// of its market.

import type { Venue } from '../../storage/venue.ts'
import type { CaptureMessage, LateReject } from '../capture/capture-message.ts'
import type { MessageForm } from '../capture/message-form.ts'
import type { CapturePlacer, CollectedCapture } from './capture-placer.ts'
import type { MessageBatch } from './message-batch.ts'
import { type LoggedForm, type LogOrigin, loggedForm, loggedInts, writeMessage } from './message-log.ts'
import type { CollectedPart, PlacedMarket } from './placer-thread.ts'
import type { PlacerThreads } from './placer-threads.ts'

export type CaptureOptions = {
  /** Data folder, for temporary files. */
  folder: string
  /** The moment of loading. */
  loadingMs: number
  /** Whether the store has nothing of a market. */
  isNew: (venue: Venue, market: string) => boolean
  onReject: (reject: LateReject) => void
}

/** Lines that are unlike all others leave a form each: beyond these all are forgotten and numbered anew. */
const FORMS_MAX = 2_048
/** What a thread's part of the capture before counts for at most when the markets of the next one are dealt out. */
const CARRIED_LOAD_MAX = 10_000

export class ThreadedPlacer implements CapturePlacer {
  readonly options: CaptureOptions
  readonly #threads: PlacerThreads
  /** Threads by market. */
  readonly #threadOf: number[] = []
  readonly #newMarkets: PlacedMarket[][]
  readonly #formNumbers = new Map<MessageForm, number>()
  #forms: LoggedForm[] = []
  /** How many of the forms each thread knows. */
  readonly #formsKnown: number[]
  #lastForm: MessageForm | undefined
  #lastFormNumber = 0
  #batch: MessageBatch | undefined
  #origin: LogOrigin = { line: 0, message: 0 }

  constructor(threads: PlacerThreads, options: CaptureOptions) {
    this.options = options
    this.#threads = threads
    this.#newMarkets = threads.loads.map(() => [])
    this.#formsKnown = threads.loads.map(() => 0)
    threads.loads.forEach((load, thread) => {
      threads.loads[thread] = Math.min(load, CARRIED_LOAD_MAX)
    })
  }

  addMarket(venue: Venue, market: string): void {
    const { loads } = this.#threads
    const thread = loads.indexOf(Math.min(...loads))
    const isNew = this.options.isNew(venue, market)
    this.#newMarkets[thread]!.push({ number: this.#threadOf.length, venue, market, isNew })
    this.#threadOf.push(thread)
    loads[thread]! += 1
  }

  place(market: number, message: CaptureMessage): void {
    const thread = this.#threadOf[market]!
    this.#threads.loads[thread]!++
    if (message.form !== this.#lastForm) this.#findForm(message.form)
    let form = this.#forms[this.#lastFormNumber]!
    const ints = loggedInts(form, message.match)
    let batch = this.#batch
    if (batch === undefined || !batch.fits(message.bytes, thread, ints)) {
      batch = this.#nextBatch(message, thread, ints)
      form = this.#forms[this.#lastFormNumber]!
    }
    const offset = batch.offsetOf(message.bytes)
    const numbers = { market, form: this.#lastFormNumber, offset }
    const log = batch.logs[thread]!
    batch.logEnds[thread] = writeMessage(log, batch.logEnds[thread]!, this.#origin, numbers, form, message)
  }

  room(): Promise<void> | undefined {
    return this.#threads.room()
  }

  async collect(): Promise<CollectedCapture> {
    this.#send()
    const parts = await this.#threads.collect()
    const byMarket = (one: { market: number }, other: { market: number }) => one.market - other.market
    for (const reject of parts.flatMap(({ rejects }) => rejects).sort(byMarket)) this.options.onReject(reject)
    return {
      markets: parts.flatMap(({ markets }) => markets).sort(byMarket),
      files: parts.flatMap(({ file }: CollectedPart) => (file === undefined ? [] : [file])),
    }
  }

  /** Nothing: a load that fails ends its threads. */
  abandon(): void {}

  #findForm(form: MessageForm): void {
    this.#lastForm = form
    const known = this.#formNumbers.get(form)
    this.#lastFormNumber = known ?? this.#forms.length
    if (known !== undefined) return
    this.#formNumbers.set(form, this.#forms.length)
    this.#forms.push(loggedForm(form))
  }

  #nextBatch({ form, bytes, line, number }: CaptureMessage, thread: number, ints: number): MessageBatch {
    this.#send()
    if (this.#forms.length > FORMS_MAX) {
      this.#formNumbers.clear()
      this.#forms = []
      this.#formsKnown.fill(0)
      this.#findForm(form)
    }
    const batch = this.#threads.takeBatch()
    batch.grow(bytes.length, thread, ints)
    this.#batch = batch
    this.#origin = { line, message: number }
    return batch
  }

  #send(): void {
    const batch = this.#batch
    this.#batch = undefined
    if (batch === undefined) return
    batch.readersLeft = batch.logEnds.filter((end) => end > 0).length
    batch.logEnds.forEach((logEnd, thread) => {
      if (logEnd === 0) return
      const firstForm = this.#formsKnown[thread]!
      this.#threads.post(thread, {
        type: 'batch',
        batch: batch.number,
        text: batch.text,
        log: batch.logs[thread]!,
        logEnd,
        origin: this.#origin,
        firstForm,
        // What makes matching fast has no meaning, and no way, elsewhere.
        forms: this.#forms.slice(firstForm).map(({ form }) => ({ ...form, flat: undefined })),
        markets: this.#newMarkets[thread]!,
      })
      this.#formsKnown[thread] = this.#forms.length
      this.#newMarkets[thread] = []
    })
  }
}
