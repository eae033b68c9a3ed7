// A cursor over the records of one market in their order. It reads one page ahead.

import { RECORD_KINDS, type RecordKind } from '../../storage/format/shape.ts'
import { dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { ANSWERING, countReleased } from '../../workers/collect-garbage.ts'
import type { Instant } from '../../workers/instant/book-at.ts'
import { framesIn, RecordFrame, release, WHOLE } from '../../workers/replay/record-frames.ts'
import type { ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { Position } from '../../workers/requests.ts'
import type { PageSource, RequestedPage } from './page-source.ts'

/** Where a market's records begin: after a time (Unix ms); if `position` is not null, at this position. */
export type Beginning = { afterMs: number; position: Position | null }

type PageOptions = {
  venue: Venue
  market: string
  toMs: number
  /** Maximum number of records in a page. */
  limit: number
  text: ReplayPageRequest['text']
}

/** Memory that is used while one frame is sent, and is free afterwards: the frame's texts, and the messages that
 *  contain them. */
const RELEASED_BYTES = 3 * 64 * 1_024

const NOTHING = new Uint8Array(0)

type Events = { loaded(records: MarketRecords): void; failed(error: unknown): void }

export class MarketRecords {
  readonly venue: Venue
  readonly market: string
  /** Order of records with equal times: the market that was subscribed first comes first. */
  readonly order: number
  state: 'loading' | 'ready' | 'ended' = 'loading'
  /** Event time of the current record, Unix ms. */
  timeMs = 0
  readonly #options: PageOptions
  readonly #beginning: Beginning
  readonly #pages: Pick<PageSource, 'ask'>
  readonly #events: Events
  #books: string[] = []
  #page: Uint8Array = NOTHING
  #frames: Uint8Array[] = []
  #frameIndex = 0
  #frame: RecordFrame | undefined
  #index = 0
  /** Position of the next page; null if there is none. */
  #next: Position | null
  #ahead: Promise<RequestedPage> | undefined
  #isLeft = false

  constructor(
    options: PageOptions,
    beginning: Beginning,
    order: number,
    parts: { pages: Pick<PageSource, 'ask'> } & Events,
  ) {
    this.venue = options.venue
    this.market = options.market
    this.order = order
    this.#options = options
    this.#beginning = beginning
    this.#pages = parts.pages
    this.#events = parts
    this.#next = beginning.position
    this.#load(this.#requestPage())
  }

  get kind(): RecordKind {
    return RECORD_KINDS[this.#frame!.kinds[this.#index]! & ~WHOLE]!
  }

  /** Whether the text is the venue's whole message. If not, it is the part under `msg`. */
  get isWhole(): boolean {
    return (this.#frame!.kinds[this.#index]! & WHOLE) !== 0
  }

  /** Book of the current record; null if the record is about the whole market. */
  get book(): string | null {
    const number = this.#frame!.books[this.#index]!
    return number === 0 ? null : this.#books[number - 1]!
  }

  /** Receive time of the current record, Unix ms; negative if it is not known. */
  get receivedMs(): number {
    return this.#frame!.received[this.#index]!
  }

  text(): string {
    return this.#frame!.text(this.#index)
  }

  /** Position of the current record, or of the next page while it loads; null before the first page. */
  get position(): Position | null {
    const frame = this.#frame
    if (frame === undefined) return this.#next
    return { date: frame.date, record: frame.records[this.#index]!, revision: frame.revision }
  }

  /** The `Beginning` that continues from here. */
  get here(): Beginning {
    if (this.state === 'ended') return { afterMs: this.#options.toMs, position: null }
    return { afterMs: this.#beginning.afterMs, position: this.position }
  }

  /** The instant just before the current record, with all earlier records applied. */
  get instant(): Instant {
    const { position } = this
    if (position === null) return { ms: this.state === 'ended' ? this.#options.toMs : this.#beginning.afterMs }
    const { date, record } = position
    return record === 0 ? { ms: dateStartMs(date) - 1 } : { date, record: record - 1 }
  }

  /** Moves to the next record. */
  advance(): void {
    if (++this.#index < this.#frame!.count) {
      this.timeMs = this.#frame!.times[this.#index]!
      return
    }
    this.#openFrame()
  }

  /** Releases the pages, and ignores those that still arrive. */
  leave(): void {
    this.#isLeft = true
    this.#closePage()
  }

  #closePage(): void {
    this.#frame?.close()
    this.#frame = undefined
    release(this.#page)
    this.#page = NOTHING
    this.#frames = []
  }

  #openFrame(): void {
    this.#frame?.close()
    this.#frame = undefined
    const packed = this.#frames[this.#frameIndex]
    if (packed === undefined) return this.#openPage()
    this.#frame = new RecordFrame(packed)
    this.#frameIndex++
    countReleased(RELEASED_BYTES, ANSWERING)
    this.#index = 0
    this.timeMs = this.#frame.times[0]!
    this.state = 'ready'
    if (this.#next !== null && 2 * this.#frameIndex >= this.#frames.length) this.#ahead ??= this.#requestPage()
  }

  #openPage(): void {
    this.#closePage()
    if (this.#next === null) {
      this.state = 'ended'
      return
    }
    this.state = 'loading'
    this.#load(this.#ahead ?? this.#requestPage())
    this.#ahead = undefined
  }

  #requestPage(): Promise<RequestedPage> {
    const page = this.#pages.ask({ ...this.#options, fromMs: this.#beginning.afterMs + 1, after: this.#next })
    page.catch(() => undefined)
    return page
  }

  #load(page: Promise<RequestedPage>): void {
    page.then(
      ({ head, bytes }) => {
        if (this.#isLeft) return
        this.#books = head.books
        this.#page = bytes
        this.#frames = [...framesIn(bytes)]
        this.#frameIndex = 0
        this.#next = head.next
        this.#openFrame()
        this.#events.loaded(this)
      },
      (error: unknown) => {
        if (!this.#isLeft) this.#events.failed(error)
      },
    )
  }
}
