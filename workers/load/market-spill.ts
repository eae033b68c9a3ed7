// The messages of markets that must wait until others are stored, since the books and columns of all at once would not
// fit into memory. They lie in a temporary file, compressed, in bundles that can be dealt with one after the other.

import { deserialize, serialize } from 'node:v8'
import type { Venue } from '../../storage/venue.ts'
import { readSpilled, type SpilledBytes, SpillFile } from '../block/spill-file.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import { MatchedMessage } from '../capture/matched-message.ts'
import { type MessageForm, matchForm } from '../capture/message-form.ts'

const BUNDLES = 64
/** Text of a bundle that is kept until it is compressed and written. */
const PIECE_BYTES = 64 << 10
/** Lines that are unlike all others leave a form each: so many are kept in memory, and those before are written too. */
const FORMS_MAX = 512
const COMPRESSION = { level: 1 } as const

/** Each entry's form or NEW_MARKET, market, line, number, received_at, length, and length of its source. */
const HEADER_BYTES = 40
const NEW_MARKET = 0xffff_ffff

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Entries of one bundle, in their order. `forms` says which of the lists of forms they go by. */
type Piece = { content: SpilledBytes; forms: number }

/** Markets to be placed together, and their messages. */
export type MarketBundle = {
  marketCount: number
  /** Tells the sink of all of it, a piece at a time: whoever takes it in may let it wait in between. `firstMarket` is
   *  the number that the first of its markets has there. */
  tell(sink: MessageSink, firstMarket: number): Generator<void>
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

  /** Throws DataError('disk_full'). */
  place(market: number, { form, bytes, match, receivedMs, line, number }: CaptureMessage): void {
    const bundle = this.#bundles[market % BUNDLES]!
    const header = { form: this.#numberOf(form), market: Math.floor(market / BUNDLES), line, number, receivedMs }
    const sourceBytes = match.sourceEnd > 0 ? match.sourceEnd - match.messageEnd : 0
    bundle.add(header, bytes, match.messageStart, match.messageEnd, sourceBytes)
    if (bundle.length >= PIECE_BYTES) this.#write(bundle)
  }

  /** Nothing follows. */
  bundles(): MarketBundle[] {
    this.#writeAll()
    return this.#bundles.map(({ marketCount, pieces }) => ({
      marketCount,
      tell: (sink, firstMarket) => this.#tell(pieces, sink, firstMarket),
    }))
  }

  /** The open temporary file, for the caller to close when all is read; undefined without one. */
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
    // What makes matching fast is large, and of no use here.
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

  *#tell(pieces: Piece[], sink: MessageSink, firstMarket: number): Generator<void> {
    let formsRead = -1
    let forms: MessageForm[] = []
    for (const { content, forms: formsNeeded } of pieces) {
      if (formsNeeded !== formsRead) forms = this.#formsOf(formsNeeded)
      formsRead = formsNeeded
      tellPiece(Bun.zstdDecompressSync(readSpilled(content)), forms, sink, firstMarket)
      yield
    }
  }

  #formsOf(list: number): MessageForm[] {
    const earlier = this.#earlierForms[list]
    return earlier === undefined ? this.#forms : (deserialize(readSpilled(earlier)) as MessageForm[])
  }
}

type Header = { form: number; market: number; line: number; number: number; receivedMs: number }

/** Entries one after the other: a header, the message, and its source where it was made of one. */
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

  /** Its bytes, which are valid until something is added. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.length)
    this.length = 0
    // One long message must not be what each bundle has room for from then on.
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

function tellPiece(bytes: Uint8Array, forms: MessageForm[], sink: MessageSink, firstMarket: number): void {
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
