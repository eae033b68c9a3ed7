// Passes lines of a capture that somebody else recorded to the loader. If only some markets are chosen, drops the
// messages of others.

import type { Venue } from '../../../storage/venue.ts'
import { CaptureFeed } from '../../capture/capture-feed.ts'
import type { CaptureMessage, MessageSink } from '../../capture/capture-message.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveOptions } from '../archive.ts'

/** A message as it is in its line. */
type FoundMessage = { market: string; receivedMs: number; text: string; isPrinted: boolean }

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export class FrameLines {
  rows = 0
  /** Number of messages of markets that are not chosen. */
  others = 0
  readonly #lines: RowReader
  readonly #markets: ReadonlySet<string> | null
  readonly #messages: LineMessages

  constructor(lines: RowReader, { markets, onMarket }: ArchiveOptions) {
    this.#lines = lines
    this.#markets = markets
    this.#messages = new LineMessages(onMarket)
  }

  /** Passes on a line unchanged if all its messages are chosen. A line without a message is passed on too, so that the
   *  loader reports why it has none. */
  line(bytes: Uint8Array, start: number, end: number, number: number): void {
    this.rows++
    const markets = this.#markets
    if (markets === null) return this.#lines.line(bytes, start, end, number)
    const found = this.#messages.of(bytes, start, end, number)
    const chosen = found.filter(({ market }) => markets.has(market))
    if (chosen.length === found.length) return this.#lines.line(bytes, start, end, number)
    this.others += found.length - chosen.length
    for (const text of new Set(chosen.map(lineOf))) {
      const line = encoder.encode(text)
      this.#lines.line(line, 0, line.length, number)
    }
  }
}

const lineOf = ({ text, receivedMs, isPrinted }: FoundMessage): string =>
  isPrinted || Number.isNaN(receivedMs) ? text : `{"recv_ms":${receivedMs},"msg":${text}}`

class LineMessages implements MessageSink {
  readonly #feed = new CaptureFeed(this, () => {})
  readonly #onMarket: (market: string) => void
  readonly #markets: string[] = []
  #found: FoundMessage[] = []

  constructor(onMarket: (market: string) => void) {
    this.#onMarket = onMarket
  }

  of(bytes: Uint8Array, start: number, end: number, number: number): FoundMessage[] {
    this.#found = []
    this.#feed.line(bytes, start, end, number)
    // Drop documents and audits here: the loader reads them from the line itself.
    this.#feed.documents.take()
    this.#feed.audits.length = 0
    return this.#found
  }

  addMarket(_: Venue, market: string): void {
    this.#markets.push(market)
    this.#onMarket(market)
  }

  place(market: number, { form, bytes, match, receivedMs }: CaptureMessage): void {
    const isMade = match.sourceEnd > 0
    const [start, end] = isMade ? [match.messageEnd, match.sourceEnd] : [match.messageStart, match.messageEnd]
    this.#found.push({
      ...{ market: this.#markets[market]!, receivedMs, isPrinted: form.isPrinted },
      text: decoder.decode(bytes.subarray(start, end)),
    })
  }
}
