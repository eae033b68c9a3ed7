// Holds the messages of markets that are read later, after other markets are committed: all books and columns at once
// would not fit into memory. The messages are in a temporary file, compressed, in bundles that can be read one after
// the other.

import { deserialize, serialize } from 'node:v8'
import type { Venue } from '../../storage/venue.ts'
import { readSpilled, type SpilledBytes, SpillFile } from '../block/spill-file.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import { MatchedMessage } from '../capture/matched-message.ts'
import { type MessageForm, matchForm } from '../capture/message-form.ts'

const BUNDLES = 64
/** Bytes of a bundle to collect before they are compressed and written. */
const PIECE_BYTES = 64 << 10
/** Each unusual line has a form of its own. So only up to this many forms stay in memory, and earlier ones are written
 *  to the file. */
const FORMS_MAX = 512
const COMPRESSION = { level: 1 } as const

/** Header of an entry: form or NEW_MARKET, market, line, number, received_at, length, length of its source. */
const HEADER_BYTES = 40
const NEW_MARKET = 0xffff_ffff

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Consecutive entries of one bundle. `forms` is the index of their list of forms. */
type Piece = { content: SpilledBytes; forms: number }

/** Messages of the markets that are placed together. */
export type MarketBundle = {
  marketCount: number
  /** Sends everything to the sink, a piece at a time; the caller may pause between pieces. `firstMarket` is the sink's
   *  number of the bundle's first market. */
  send(sink: MessageSink, firstMarket: number): Generator<void>
}

export class MarketSpill implements MessageSink {
  readonly #file: SpillFile
  readonly #bundles: OpenBundle[] = []
  #marketCount = 0
  #forms: MessageForm[] = []
  #formNumbers = new Map<MessageForm, number>()
  /** Lists of forms that are no longer in memory. */
  readonly #earlierForms: SpilledBytes[] = []

  /** `folder` is the data folder. */
  constructor(folder: string) {
    this.#file = new SpillFile(folder)
  }

  addMarket(venue: Venue, market: string, source = ''): void {
    const number = this.#marketCount++
    if (number < BUNDLES) this.#bundles.push(new OpenBundle())
    const bundle = this.#bundles[number % BUNDLES]!
    bundle.marketCount++
    const name = encoder.encode(`${venue} ${market} ${source}`)
    bundle.add({ form: NEW_MARKET, market: 0, line: 0, number: 0, receivedMs: 0 }, name, 0, name.length, 0)
  }

  /** Adds a message to its bundle. Throws DataError('disk_full'). */
  place(market: number, { form, bytes, match, receivedMs, line, number }: CaptureMessage): void {
    const bundle = this.#bundles[market % BUNDLES]!
    const header = { form: this.#numberOf(form), market: Math.floor(market / BUNDLES), line, number, receivedMs }
    const sourceBytes = match.sourceEnd > 0 ? match.sourceEnd - match.messageEnd : 0
    bundle.add(header, bytes, match.messageStart, match.messageEnd, sourceBytes)
    if (bundle.length >= PIECE_BYTES) this.#write(bundle)
  }

  /** Returns all bundles. Nothing may be added after this. */
  bundles(): MarketBundle[] {
    this.#writeAll()
    return this.#bundles.map(({ marketCount, pieces }) => ({
      marketCount,
      send: (sink, firstMarket) => this.#sendPieces(pieces, sink, firstMarket),
    }))
  }

  /** Returns the open temporary file, which the caller closes after reading; undefined if there is none. */
  releaseFile(): number | undefined {
    return this.#file.release()
  }

  #numberOf(form: MessageForm): number {
    const known = this.#formNumbers.get(form)
    if (known !== undefined) return known
    if (this.#forms.length === FORMS_MAX) {
      this.#writeAll()
      this.#earlierForms.push(this.#file.write(serialize(this.#forms)))
      this.#forms = []
      this.#formNumbers = new Map()
    }
    // Leave out the flat form: it is large, and only used for fast matching.
    this.#forms.push({ ...form, flat: undefined })
    this.#formNumbers.set(form, this.#forms.length - 1)
    return this.#forms.length - 1
  }

  #writeAll(): void {
    for (const bundle of this.#bundles) if (bundle.length > 0) this.#write(bundle)
  }

  #write(bundle: OpenBundle): void {
    const content = this.#file.write(Bun.zstdCompressSync(bundle.take(), COMPRESSION))
    bundle.pieces.push({ content, forms: this.#earlierForms.length })
  }

  *#sendPieces(pieces: Piece[], sink: MessageSink, firstMarket: number): Generator<void> {
    let formsRead = -1
    let forms: MessageForm[] = []
    for (const { content, forms: formsNeeded } of pieces) {
      if (formsNeeded !== formsRead) forms = this.#formsOf(formsNeeded)
      formsRead = formsNeeded
      sendPiece(Bun.zstdDecompressSync(readSpilled(content)), forms, sink, firstMarket)
      yield
    }
  }

  #formsOf(list: number): MessageForm[] {
    const earlier = this.#earlierForms[list]
    return earlier === undefined ? this.#forms : (deserialize(readSpilled(earlier)) as MessageForm[])
  }
}

type Header = { form: number; market: number; line: number; number: number; receivedMs: number }

/** A bundle in memory: one entry after the other. An entry has a header, the message, and the message's source if the
 *  message was made from a part of it. */
class OpenBundle {
  readonly pieces: Piece[] = []
  marketCount = 0
  length = 0
  #bytes = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)

  add(header: Header, bytes: Uint8Array, start: number, end: number, sourceBytes: number): void {
    const at = this.length
    this.length += HEADER_BYTES + end - start + sourceBytes
    if (this.length > this.#bytes.length) this.#grow()
    const view = this.#view
    view.setUint32(at, header.form)
    view.setUint32(at + 4, header.market)
    view.setFloat64(at + 8, header.line)
    view.setFloat64(at + 16, header.number)
    view.setFloat64(at + 24, header.receivedMs)
    view.setUint32(at + 32, end - start)
    view.setUint32(at + 36, sourceBytes)
    this.#bytes.set(bytes.subarray(start, end + sourceBytes), at + HEADER_BYTES)
  }

  /** Returns its bytes, which are valid until the next `add`, and empties the bundle. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.length)
    this.length = 0
    // Shrink after one long message, or each bundle would keep that much room.
    if (this.#bytes.length > 2 * PIECE_BYTES) this.#setBytes(new Uint8Array(0))
    return taken
  }

  #grow(): void {
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length))
    grown.set(this.#bytes)
    this.#setBytes(grown)
  }

  #setBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }
}

function sendPiece(bytes: Uint8Array, forms: MessageForm[], sink: MessageSink, firstMarket: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const match = new MatchedMessage()
  let message: CaptureMessage | undefined
  for (let at = 0; at < bytes.length; ) {
    const formNumber = view.getUint32(at)
    const start = at + HEADER_BYTES
    const end = start + view.getUint32(at + 32)
    const sourceBytes = view.getUint32(at + 36)
    if (formNumber === NEW_MARKET) {
      const [venue, market, source] = decoder.decode(bytes.subarray(start, end)).split(' ') as [Venue, string, string]
      sink.addMarket(venue, market, source === '' ? undefined : source)
    } else {
      const form = forms[formNumber]!
      message ??= { form, bytes, match, receivedMs: 0, line: 0, number: 0 }
      message.form = form
      message.line = view.getFloat64(at + 8)
      message.number = view.getFloat64(at + 16)
      message.receivedMs = view.getFloat64(at + 24)
      matchForm(form, bytes, start, end, 'parsed', match)
      if (sourceBytes > 0) match.sourceEnd = end + sourceBytes
      sink.place(firstMarket + view.getUint32(at + 4), message)
    }
    at = end + sourceBytes
  }
}
