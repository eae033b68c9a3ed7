// Reads one capture: splits its lines into messages and finds the market of each message.

import { type LevelsMeaning, SOURCE_NAME } from '../../storage/format/shape.ts'
import { IDENTITIES, VENUES } from '../../storage/venue.ts'
import { metadataMeaning } from '../metadata/venue-metadata.ts'
import type { CaptureFacts } from '../venues/capture-facts.ts'
import { type JsonObject, quoted } from '../venues/described-message.ts'
import { isOnYesScale, NoPriceScale, noPricesOf, noPricesOfSegment } from '../venues/no-prices.ts'
import { PRINTED_BOOK_TIMES, type PrintedBookTimes, readBookTimes } from '../venues/printed/printed-book-times.ts'
import { PRINTED_HOLE, type PrintedHole, readHole } from '../venues/printed/printed-hole.ts'
import { withMarket } from '../venues/printed/printed-record.ts'
import { printedSource } from '../venues/printed/printed-source.ts'
import type { SequenceHoles } from '../venues/sequence-holes.ts'
import { dollarsOf } from '../venues/unreadable.ts'
import { slotTimeUs } from '../venues/venue-time.ts'
import { MEANINGS } from '../venues.ts'
import type { CaptureMessage, MessageSink } from './capture-message.ts'
import { wholeAt } from './line-frame.ts'
import { LineParser, type LineSink } from './line-parser.ts'
import { MarketNumbers, NO_MARKET, OTHER_MARKET } from './market-numbers.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'
import { MetadataDocuments } from './metadata-documents.ts'
import { parseDocument } from './unknown-line.ts'

/** Counts of what was read: messages of markets, metadata documents, and lines that are not used. */
export type CaptureCounts = {
  messages: number
  documents: number
  skipped: Record<string, number>
  /** Notes on how stored messages were read, with the number of messages for each note. */
  notes: Record<string, number>
  rejected: number
}

/** Reads an export's line that is not a record. `source` is the archive that the line comes from; undefined for the
 *  user's own data. Returns undefined if a field is missing or invalid. */
type ReadPrinted<T> = (value: JsonObject, source: string | undefined) => T | undefined

/** Receives the reason for rejecting the current line or document. `message` is the part at fault, if not the whole
 *  line. */
export type OnReject = (reason: string, message?: Uint8Array) => void

const ON_YES_SCALE = 'with prices of NO read on the scale of YES'
const RECORDER_LENGTH_MAX = 64
/** Keeps a byte order mark, because it is part of the value. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class CaptureFeed implements LineSink {
  readonly counts: CaptureCounts = { messages: 0, documents: 0, skipped: {}, notes: {}, rejected: 0 }
  readonly documents = new MetadataDocuments()
  /** Audit lines of the segment, as its recorder wrote them. */
  audits: Record<string, unknown>[] = []
  /** Lines of an export that are not records. */
  readonly printed = { holes: [] as PrintedHole[], heard: [] as PrintedBookTimes[] }
  /** Header line of the segment; undefined for any other capture. */
  header: Record<string, unknown> | undefined
  readonly #parser: LineParser
  readonly #scale: NoPriceScale
  readonly #sink: MessageSink
  readonly #onReject: OnReject
  readonly #facts: CaptureFacts | undefined
  readonly #markets: MarketNumbers
  /** The only message object; refilled for each message. */
  #message: CaptureMessage | undefined
  #line = 0
  /** The market of the last message of a venue with tokens. Printed gaps before the first such message belong to the
   *  market of that message. */
  #condition: string | undefined
  #conditionMarket = NO_MARKET
  #gaps: { record: Uint8Array; line: number }[] = []

  /** `source` is the archive that the capture was made from; undefined for the user's own captures. `facts` receives
   *  the sequence numbers and times of messages. `chosen` has the markets to read; null for all. */
  constructor(
    sink: MessageSink,
    onReject: OnReject,
    source?: string,
    scale = new NoPriceScale('no', false),
    facts?: CaptureFacts,
    chosen?: ReadonlySet<string> | null,
  ) {
    if (source !== undefined && !SOURCE_NAME.test(source)) throw new RangeError(`invalid source ${quoted(source)}`)
    this.#sink = sink
    this.#markets = new MarketNumbers(sink, chosen)
    this.#onReject = onReject
    this.#scale = scale
    this.#facts = facts
    this.#parser = new LineParser(this, source, scale.read === 'yes')
  }

  line(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.#line = line
    this.#parser.parse(bytes, start, end)
  }

  /** Reads a whole file that is one JSON document; the caller has checked that it parses. */
  document(bytes: Uint8Array): void {
    this.#line = 1
    parseDocument(bytes, this, this.#parser)
  }

  /** Ends the capture: no line follows. */
  end(): void {
    this.#scale.end()
    for (const { record } of this.#gaps) this.reject('no record of the capture says which market the gap is of', record)
    this.#gaps = []
  }

  message(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): void {
    this.#noteTimes(form, bytes, match, receivedMs)
    const market = this.#marketOf(form, bytes, match)
    if (market === OTHER_MARKET) return this.skip('messages of other markets')
    if (form.hasNoPrices) this.#noteScale(form, bytes, match)
    if (market === NO_MARKET) return
    const number = ++this.counts.messages
    if (this.#facts !== undefined) noteSequence(this.#facts.holes, form, bytes, match, number, receivedMs)
    if (IDENTITIES[form.venue].hasAssets && market !== this.#conditionMarket) {
      this.#conditionMarket = market
      this.#condition = decoder.decode(bytes.subarray(match.starts[form.market]!, match.ends[form.market]!))
      if (this.#gaps.length > 0) this.#placeGaps()
    }
    this.#sink.place(market, this.#filled(form, bytes, match, receivedMs, number))
  }

  /** Passes on a message without text if its market is that of the last message with text. If the market differs, or if
   *  the text is needed, returns false and does nothing. */
  values(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number, line: number): boolean {
    const market = this.#markets.at(form, bytes, match)
    if (market === NO_MARKET || market !== this.#conditionMarket) return false
    this.#line = line
    this.#noteTimes(form, bytes, match, receivedMs)
    const message = this.#filled(form, bytes, match, receivedMs, this.counts.messages + 1)
    if (this.#sink.placeValues?.(market, message) !== true) return false
    this.counts.messages++
    return true
  }

  #noteTimes(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): void {
    const stretches = this.#facts?.stretchesOf(form.shape.source)
    stretches?.note(this.counts.messages + 1, receivedMs, sentMsOf(form, bytes, match, receivedMs))
  }

  #noteScale(form: MessageForm, bytes: Uint8Array, match: MatchedMessage): void {
    const { levels, changes } = form.shape
    const isYes = this.#scale.read === 'yes' || isOnYesScale(form.shape)
    if (isYes && (levels.length > 0 || changes !== null)) this.note(ON_YES_SCALE)
    if (this.#scale.needsSnapshots && !isYes && levels.length > 0) noteSides(this.#scale, form, bytes, match)
  }

  skip(what: string, frame?: Record<string, unknown>): void {
    const scale = frame && noPricesOf(frame)
    if (scale !== undefined) this.#scale.say(scale)
    this.counts.skipped[what] = (this.counts.skipped[what] ?? 0) + 1
  }

  note(what: string): void {
    this.counts.notes[what] = (this.counts.notes[what] ?? 0) + 1
  }

  reject(reason: string, message?: Uint8Array): void {
    this.counts.rejected++
    this.#onReject(reason, message)
  }

  gap(record: Uint8Array): void {
    this.#gaps.push({ record, line: this.#line })
    if (this.#condition !== undefined) this.#placeGaps()
  }

  /** Returns the id of the recorder that wrote the segment; undefined if the capture is not a segment. */
  get recorder(): string | undefined {
    const id = this.header?.['recorder']
    return typeof id === 'string' && id.length <= RECORDER_LENGTH_MAX ? id : undefined
  }

  control(kind: string, value: Record<string, unknown>): void {
    this.skip(`backbook ${kind}`)
    if (kind === 'segment') {
      this.header = value
      if (this.#facts !== undefined) this.#facts.isSegment = this.recorder !== undefined
      const scale = noPricesOfSegment(value)
      if (scale !== undefined && !VENUES.some((venue) => venue === value['venue'] && !MEANINGS[venue].hasNoPrices))
        this.#scale.say(scale)
    }
    if (kind === 'audit') this.audits.push(value)
    if (kind === PRINTED_HOLE)
      this.#readPrinted(value, readHole, this.printed.holes, 'a sequence_hole must have `market`, a text, and `from`')
    const ofBook = 'the times of a book must have `market`, `date`, `book`, and times'
    if (kind === PRINTED_BOOK_TIMES) this.#readPrinted(value, readBookTimes, this.printed.heard, ofBook)
  }

  #readPrinted<T>(value: JsonObject, read: ReadPrinted<T>, lines: T[], what: string): void {
    const of = printedSource(value, this.#parser.source)
    if ('reject' in of) return this.reject(of.reject)
    const line = read(value, of.source)
    if (line !== undefined) lines.push(line)
    else this.reject(`${what}, whole Unix milliseconds`)
  }

  #placeGaps(): void {
    const [gaps, line] = [this.#gaps, this.#line]
    this.#gaps = []
    for (const { record, line: gapLine } of gaps) {
      const bytes = withMarket(record, this.#condition!)
      this.#line = gapLine
      new LineParser(this, this.#parser.source, this.#parser.isYesScale).parse(bytes, 0, bytes.length)
    }
    this.#line = line
  }

  metadata(value: Record<string, unknown>, source: Uint8Array): void {
    const fault = metadataMeaning(value)?.fault(value)
    if (fault !== undefined) return this.reject(fault, source)
    this.counts.documents++
    this.documents.add(value, source.length)
  }

  #filled(
    form: MessageForm,
    bytes: Uint8Array,
    match: MatchedMessage,
    receivedMs: number,
    number: number,
  ): CaptureMessage {
    this.#message ??= { form, bytes, match, receivedMs, line: 0, number }
    const message = this.#message
    message.form = form
    message.bytes = bytes
    message.match = match
    message.receivedMs = receivedMs
    message.line = this.#line
    message.number = number
    return message
  }

  /** Returns the number of a message's market. If the market name is not valid for the venue, rejects the message and
   *  returns NO_MARKET. */
  #marketOf(form: MessageForm, bytes: Uint8Array, match: MatchedMessage): number {
    const market = this.#markets.at(form, bytes, match)
    if (market === NO_MARKET) {
      const name = decoder.decode(bytes.subarray(match.starts[form.market]!, match.ends[form.market]!))
      this.reject(`the market must be an id of ${form.venue}, got ${quoted(name)}`, sourceOf(bytes, match))
    }
    return market
  }
}

/** Returns the venue's time of a delta without a receipt time, Unix ms. NaN for other messages: they may be late. */
function sentMsOf(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): number {
  if (!Number.isNaN(receivedMs) || form.shape.kind !== 'delta') return Number.NaN
  return match.hasText ? slotTimeUs(form.eventTime, bytes, match) / 1_000 : match.numbers[form.eventTime]!
}

/** Notes the sequence number of a message. Skips a record that an export printed: the export has only one market, so
 *  the sequence numbers before and after the record are unknown. */
function noteSequence(
  holes: SequenceHoles,
  { shape, isPrinted, sid, seq }: MessageForm,
  bytes: Uint8Array,
  { starts, ends }: MatchedMessage,
  number: number,
  receivedMs: number,
): void {
  if (isPrinted || !shape.hasSid || !shape.hasSeq) return
  const [of, step] = [wholeAt(bytes, starts[sid]!, ends[sid]!), wholeAt(bytes, starts[seq]!, ends[seq]!)]
  if (of >= 0 && step >= 0) holes.note(of, step, number, receivedMs)
}

/** Reports a snapshot with levels on both sides to the price scale. */
function noteSides(scale: NoPriceScale, form: MessageForm, bytes: Uint8Array, match: MatchedMessage): void {
  const prices = (['bid', 'ask'] as const).map((side) => {
    const levels = form.shape.levels.find((each) => each.side === side)
    return levels === undefined ? [] : pricesOf(levels, form, bytes, match)
  })
  const [yes, no] = prices as [number[], number[]]
  if (yes.length > 0 && no.length > 0) scale.snapshot(yes.reduce(larger), no.reduce(smaller), no.reduce(larger))
}

function pricesOf({ list, price }: LevelsMeaning, form: MessageForm, bytes: Uint8Array, match: MatchedMessage) {
  const { first, end, step } = match.placesOf(form.slots, form.firstList + list, form.firstSlot + price.slot)
  const prices: number[] = []
  for (let at = first; at < end; at += step) {
    const text = decoder.decode(bytes.subarray(match.elementStarts[at]!, match.elementEnds[at]!))
    const dollars = dollarsOf(text, price.mayBeCents)
    if (text !== '' && !Number.isNaN(dollars)) prices.push(dollars)
  }
  return prices
}

const smaller = (a: number, b: number) => Math.min(a, b)
const larger = (a: number, b: number) => Math.max(a, b)

// Returns the original text if the message was made from only a part of it; undefined if the message is the whole line.
const sourceOf = (bytes: Uint8Array, { messageEnd, sourceEnd }: MatchedMessage): Uint8Array | undefined =>
  sourceEnd > 0 ? bytes.slice(messageEnd, sourceEnd) : undefined
