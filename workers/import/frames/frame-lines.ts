// Lines of a capture that somebody else recorded, on their way to the loader: each is looked at for which books it
// speaks of and when, so that those of other markets, and those that the user's own recording has, are left out.

import type { Venue } from '../../../storage/venue.ts'
import { CaptureFeed } from '../../capture/capture-feed.ts'
import type { CaptureMessage, MessageSink } from '../../capture/capture-message.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import { venueTimeUs } from '../../venues/venue-time.ts'
import type { ArchiveOptions } from '../archive.ts'

/** A message of a line, as it stands there. */
type Said = {
  venue: Venue
  market: string
  kind: CaptureMessage['form']['shape']['kind']
  /** Null for the whole market. */
  books: (string | null)[]
  timeMs: number
  receivedMs: number
  text: string
  isPrinted: boolean
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export class FrameLines {
  rows = 0
  /** Messages that the user's own recording has, and those of markets that are not chosen. */
  leftOut = 0
  others = 0
  readonly #lines: RowReader
  readonly #options: ArchiveOptions
  readonly #messages = new LineMessages()

  constructor(lines: RowReader, options: ArchiveOptions) {
    this.#lines = lines
    this.#options = options
  }

  /** A line whose messages are all wanted goes on as it is; one without a message too, for the loader to say why. */
  async line(bytes: Uint8Array, start: number, end: number, number: number): Promise<void> {
    this.rows++
    const { markets, prepare } = this.#options
    const said = this.#messages.of(bytes, start, end, number)
    for (const { venue, market } of this.#messages.takeNewMarkets()) await prepare(venue, market)
    if (said.length === 0) return this.#lines.line(bytes, start, end, number)
    const chosen = said.filter(({ market }) => markets?.has(market) !== false)
    const wanted = chosen.filter((message) => !this.#isOwn(message))
    this.leftOut += chosen.length - wanted.length
    this.others += said.length - chosen.length
    if (wanted.length === said.length) return this.#lines.line(bytes, start, end, number)
    for (const text of new Set(wanted.map(lineOf))) {
      const line = encoder.encode(text)
      this.#lines.line(line, 0, line.length, number)
    }
  }

  #isOwn({ market, kind, books, timeMs }: Said): boolean {
    const of = kind === 'trade' ? 'trade' : 'book'
    return books.length > 0 && books.every((book) => book !== null && this.#options.hasOwn(market, book, timeMs, of))
  }
}

const lineOf = ({ text, receivedMs, isPrinted }: Said): string =>
  isPrinted || Number.isNaN(receivedMs) ? text : `{"recv_ms":${receivedMs},"msg":${text}}`

class LineMessages implements MessageSink {
  readonly #feed = new CaptureFeed(this, () => {})
  readonly #markets: { venue: Venue; market: string }[] = []
  #newMarkets: { venue: Venue; market: string }[] = []
  #said: Said[] = []

  of(bytes: Uint8Array, start: number, end: number, number: number): Said[] {
    this.#said = []
    this.#feed.line(bytes, start, end, number)
    // The loader keeps them for itself.
    this.#feed.documents.take()
    this.#feed.audits.length = 0
    return this.#said
  }

  takeNewMarkets() {
    const markets = this.#newMarkets
    if (markets.length > 0) this.#newMarkets = []
    return markets
  }

  addMarket(venue: Venue, market: string): void {
    this.#markets.push({ venue, market })
    this.#newMarkets.push({ venue, market })
  }

  place(market: number, { form, bytes, match, receivedMs }: CaptureMessage): void {
    const textAt = (slot: number) => decoder.decode(bytes.subarray(match.starts[slot], match.ends[slot]))
    const { eventTime, shape, isPrinted } = form
    const venueUs = eventTime < 0 ? Number.NaN : venueTimeUs(bytes, match.starts[eventTime]!, match.ends[eventTime]!)
    const isMade = match.sourceEnd > 0
    const [start, end] = isMade ? [match.messageEnd, match.sourceEnd] : [match.messageStart, match.messageEnd]
    this.#said.push({
      ...this.#markets[market]!,
      kind: shape.kind,
      books: form.bookList >= 0 ? booksOf({ form, bytes, match }) : [form.book < 0 ? null : textAt(form.book)],
      timeMs: Number.isNaN(venueUs) ? receivedMs : Math.floor(venueUs / 1_000),
      receivedMs,
      text: decoder.decode(bytes.subarray(start, end)),
      isPrinted,
    })
  }
}

/** Of each element of the list that names one. */
function booksOf({ form, bytes, match }: Pick<CaptureMessage, 'form' | 'bytes' | 'match'>): string[] {
  const listSlots = form.slots.flatMap((slot, i) => (slot.list === form.bookList ? [i] : []))
  const first = match.listBases[form.bookList]! + form.book - listSlots[0]!
  return Array.from({ length: match.listLengths[form.bookList]! }, (_, element) => {
    const place = first + element * listSlots.length
    return decoder.decode(bytes.subarray(match.elementStarts[place], match.elementEnds[place]))
  })
}
