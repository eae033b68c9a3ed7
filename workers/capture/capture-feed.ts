// One capture on its way in: its lines are taken apart into messages, and each message finds its market.

import { SLUG_BYTES_MAX } from '../../storage/catalogue.ts'
import { type LevelsMeaning, SOURCE_NAME } from '../../storage/format/shape.ts'
import { type JsonObject, quoted } from '../venues/described-message.ts'
import { REST_BOOK } from '../venues/kalshi/describe-kalshi.ts'
import { wrongTicker } from '../venues/kalshi/kalshi-metadata.ts'
import { NoPriceScale, noPricesOf, noPricesOfSegment } from '../venues/kalshi/no-prices.ts'
import type { SequenceHoles } from '../venues/kalshi/sequence-holes.ts'
import { hasLongSlug, isGamma } from '../venues/polymarket/gamma-metadata.ts'
import { PRINTED_HEARD, type PrintedHeard, readHeard } from '../venues/printed/printed-heard.ts'
import { PRINTED_HOLE, type PrintedHole, readHole } from '../venues/printed/printed-hole.ts'
import { withMarket } from '../venues/printed/printed-record.ts'
import { printedSource } from '../venues/printed/printed-source.ts'
import { dollarsOf } from '../venues/unreadable.ts'
import type { CaptureMessage, MessageSink } from './capture-message.ts'
import { wholeAt } from './line-frame.ts'
import { LineParser, type LineSink } from './line-parser.ts'
import { MarketNumbers, NO_MARKET } from './market-numbers.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'
import { MetadataDocuments } from './metadata-documents.ts'
import { parseDocument } from './unknown-line.ts'

/** What is read is one of these: a message of a market, a document of metadata, or nothing that is used. */
export type CaptureCounts = {
  messages: number
  documents: number
  skipped: Record<string, number>
  /** What is to be reported of messages that are records all the same. */
  notes: Record<string, number>
  rejected: number
}

/** Reads a line of an export that is of a source; undefined for one that does not say what it should. */
type ReadPrinted<T> = (value: JsonObject, source: string | undefined) => T | undefined

/** Called for the line or document being parsed; `message` is the part at fault, where that is not the whole line. */
export type OnReject = (reason: string, message?: Uint8Array) => void

const ON_YES_SCALE = 'with prices of NO read on the scale of YES'
const RECORDER_LENGTH_MAX = 64
/** A byte order mark is part of what a value says. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class CaptureFeed implements LineSink {
  readonly counts: CaptureCounts = { messages: 0, documents: 0, skipped: {}, notes: {}, rejected: 0 }
  readonly documents = new MetadataDocuments()
  /** What the recorder of a segment says of its audits. */
  audits: Record<string, unknown>[] = []
  /** Lines of an export that are no records. */
  readonly printed = { holes: [] as PrintedHole[], heard: [] as PrintedHeard[] }
  /** What a segment says that it is. */
  header: Record<string, unknown> | undefined
  readonly #parser: LineParser
  readonly #scale: NoPriceScale
  readonly #sink: MessageSink
  readonly #onReject: OnReject
  readonly #holes: SequenceHoles | undefined
  readonly #markets: MarketNumbers
  /** The one message there is, filled anew. */
  #message: CaptureMessage | undefined
  #line = 0
  /** The market of the last message of Polymarket, and printed gaps before the first, which are of its market. */
  #condition: string | undefined
  #conditionMarket = NO_MARKET
  #gaps: { record: Uint8Array; line: number }[] = []

  /** `source`: the archive that the capture is made from; without it, it is the user's own. `holes` get the numbers of
   *  Kalshi's messages. */
  constructor(
    sink: MessageSink,
    onReject: OnReject,
    source?: string,
    scale = new NoPriceScale('no', false),
    holes?: SequenceHoles,
  ) {
    if (source !== undefined && !SOURCE_NAME.test(source)) throw new RangeError(`${quoted(source)} is no source`)
    this.#sink = sink
    this.#markets = new MarketNumbers(sink)
    this.#onReject = onReject
    this.#scale = scale
    this.#holes = holes
    this.#parser = new LineParser(this, source, scale.read === 'yes')
  }

  line(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.#line = line
    this.#parser.parse(bytes, start, end)
  }

  /** A whole file that is one JSON document, parsed before. */
  document(bytes: Uint8Array): void {
    this.#line = 1
    parseDocument(bytes, this, this.#parser)
  }

  /** Nothing follows. */
  end(): void {
    this.#scale.end()
    for (const { record } of this.#gaps) this.reject('no record of the capture says which market the gap is of', record)
    this.#gaps = []
  }

  message(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): void {
    if (form.venue === 'kalshi') this.#noteScale(form, bytes, match)
    const market = this.#marketOf(form, bytes, match)
    if (market === NO_MARKET) return
    const number = ++this.counts.messages
    if (this.#holes !== undefined) noteSequence(this.#holes, form, bytes, match, number, receivedMs)
    if (form.venue === 'polymarket' && market !== this.#conditionMarket) {
      this.#conditionMarket = market
      this.#condition = decoder.decode(bytes.subarray(match.starts[form.market]!, match.ends[form.market]!))
      if (this.#gaps.length > 0) this.#placeGaps()
    }
    this.#sink.place(market, this.#filled(form, bytes, match, receivedMs, number))
  }

  /** A message that has no text, of a market whose last one had it. False, and nothing is done, where it is needed. */
  values(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number, line: number): boolean {
    const market = this.#markets.at(form, bytes, match)
    if (market === NO_MARKET || market !== this.#conditionMarket) return false
    this.#line = line
    const message = this.#filled(form, bytes, match, receivedMs, this.counts.messages + 1)
    if (this.#sink.placeValues?.(market, message) !== true) return false
    this.counts.messages++
    return true
  }

  #noteScale(form: MessageForm, bytes: Uint8Array, match: MatchedMessage): void {
    const { levels, changes, envelopeType } = form.shape
    if (envelopeType === REST_BOOK) return
    if (this.#scale.read === 'yes' && (levels.length > 0 || changes !== null)) this.note(ON_YES_SCALE)
    if (this.#scale.needsSnapshots && levels.length > 0) noteSides(this.#scale, form, bytes, match)
  }

  skip(what: string, frame?: Record<string, unknown>): void {
    const said = frame && noPricesOf(frame)
    if (said !== undefined) this.#scale.say(said)
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

  /** Whose segment it is; undefined where it is another capture. */
  get recorder(): string | undefined {
    const id = this.header?.['recorder']
    return typeof id === 'string' && id.length <= RECORDER_LENGTH_MAX ? id : undefined
  }

  control(kind: string, value: Record<string, unknown>): void {
    this.skip(`backbook ${kind}`)
    if (kind === 'segment') {
      this.header = value
      const said = noPricesOfSegment(value)
      if (said !== undefined && value['venue'] !== 'polymarket') this.#scale.say(said)
    }
    if (kind === 'audit') this.audits.push(value)
    if (kind === PRINTED_HOLE)
      this.#keep(value, readHole, this.printed.holes, 'a sequence_hole has its `market`, a text, and `from`')
    if (kind === PRINTED_HEARD)
      this.#keep(value, readHeard, this.printed.heard, 'what was heard has `market`, `date`, `book`, and times')
  }

  #keep<T>(value: JsonObject, read: ReadPrinted<T>, lines: T[], what: string): void {
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
    if (hasLongSlug(value)) return this.reject(`a slug is longer than ${SLUG_BYTES_MAX} bytes`, source)
    const wrong = isGamma(value) ? undefined : wrongTicker(value)
    if (wrong !== undefined) return this.reject(`${quoted(wrong)} is no ticker of kalshi`, source)
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

  /** NO_MARKET, and rejected, where the message names no market that the venue could have. */
  #marketOf(form: MessageForm, bytes: Uint8Array, match: MatchedMessage): number {
    const market = this.#markets.at(form, bytes, match)
    if (market === NO_MARKET) {
      const name = decoder.decode(bytes.subarray(match.starts[form.market]!, match.ends[form.market]!))
      this.reject(`${quoted(name)} is no market of ${form.venue}`, sourceOf(bytes, match))
    }
    return market
  }
}

/** A printed record is of one market, and says nothing of the numbers between. */
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

/** Tells of a snapshot that has levels on both sides. */
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

// The whole line, unless the message was made of a part of it.
const sourceOf = (bytes: Uint8Array, { messageEnd, sourceEnd }: MatchedMessage): Uint8Array | undefined =>
  sourceEnd > 0 ? bytes.slice(messageEnd, sourceEnd) : undefined
