// The records of one market in their order, read a page ahead: a place that is looked at and moved on.

import { RECORD_KINDS, type RecordKind } from '../../storage/format/shape.ts'
import { dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { ANSWERING, letGo } from '../../workers/collect-garbage.ts'
import type { Instant } from '../../workers/instant/book-at.ts'
import { framesIn, RecordFrame, release, WHOLE } from '../../workers/replay/record-frames.ts'
import type { ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { Position } from '../../workers/requests.ts'
import type { AskedPage, PageSource } from './page-source.ts'

/** Where a market's records begin: behind a moment, and at a position where one is given. */
export type Beginning = { afterMs: number; position: Position | null }

type Asked = {
  venue: Venue
  market: string
  toMs: number
  /** Records of a page. */
  limit: number
  text: ReplayPageRequest['text']
}

/** What becomes of a frame: texts, and the same within the messages that are sent. */
const LET_GO_BYTES = 3 * 64 * 1_024

const NOTHING = new Uint8Array(0)

type Events = { loaded(records: MarketRecords): void; failed(error: unknown): void }

export class MarketRecords {
  readonly venue: Venue
  readonly market: string
  /** Among records of the same time, those of the market that was subscribed to first are first. */
  readonly order: number
  state: 'loading' | 'ready' | 'ended' = 'loading'
  /** Event time of the record that is next. */
  timeMs = 0
  readonly #asked: Asked
  readonly #beginning: Beginning
  readonly #pages: Pick<PageSource, 'ask'>
  readonly #events: Events
  #books: string[] = []
  #page: Uint8Array = NOTHING
  #frames: Uint8Array[] = []
  #frameIndex = 0
  #frame: RecordFrame | undefined
  #index = 0
  /** Of the page behind this one; null where there is none. */
  #next: Position | null
  #ahead: Promise<AskedPage> | undefined
  #isLeft = false

  constructor(asked: Asked, beginning: Beginning, order: number, parts: { pages: Pick<PageSource, 'ask'> } & Events) {
    this.venue = asked.venue
    this.market = asked.market
    this.order = order
    this.#asked = asked
    this.#beginning = beginning
    this.#pages = parts.pages
    this.#events = parts
    this.#next = beginning.position
    this.#load(this.#ask())
  }

  get kind(): RecordKind {
    return RECORD_KINDS[this.#frame!.kinds[this.#index]! & ~WHOLE]!
  }

  /** Whether the text is all that the venue sent, and not only the part under `msg`. */
  get isWhole(): boolean {
    return (this.#frame!.kinds[this.#index]! & WHOLE) !== 0
  }

  /** Null for a record of the whole market. */
  get book(): string | null {
    const number = this.#frame!.books[this.#index]!
    return number === 0 ? null : this.#books[number - 1]!
  }

  /** Below 0 where it is not known. */
  get receivedMs(): number {
    return this.#frame!.received[this.#index]!
  }

  text(): string {
    return this.#frame!.text(this.#index)
  }

  /** Where the record that is next stands; null where not even the first page has come. */
  get position(): Position | null {
    const frame = this.#frame
    if (frame === undefined) return this.#next
    return { date: frame.date, record: frame.records[this.#index]!, revision: frame.revision }
  }

  /** Where it would have to begin to go on from here. */
  get here(): Beginning {
    if (this.state === 'ended') return { afterMs: this.#asked.toMs, position: null }
    return { afterMs: this.#beginning.afterMs, position: this.position }
  }

  /** The instant that all records before the next one come to. */
  get instant(): Instant {
    const { position } = this
    if (position === null) return { ms: this.state === 'ended' ? this.#asked.toMs : this.#beginning.afterMs }
    const { date, record } = position
    return record === 0 ? { ms: dateStartMs(date) - 1 } : { date, record: record - 1 }
  }

  /** To the record behind the one that is next. */
  advance(): void {
    if (++this.#index < this.#frame!.count) {
      this.timeMs = this.#frame!.times[this.#index]!
      return
    }
    this.#openFrame()
  }

  /** Nobody waits for its pages any more. */
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
    letGo(LET_GO_BYTES, ANSWERING)
    this.#index = 0
    this.timeMs = this.#frame.times[0]!
    this.state = 'ready'
    if (this.#next !== null && 2 * this.#frameIndex >= this.#frames.length) this.#ahead ??= this.#ask()
  }

  #openPage(): void {
    this.#closePage()
    if (this.#next === null) {
      this.state = 'ended'
      return
    }
    this.state = 'loading'
    this.#load(this.#ahead ?? this.#ask())
    this.#ahead = undefined
  }

  #ask(): Promise<AskedPage> {
    const page = this.#pages.ask({ ...this.#asked, fromMs: this.#beginning.afterMs + 1, after: this.#next })
    page.catch(() => undefined)
    return page
  }

  #load(page: Promise<AskedPage>): void {
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
