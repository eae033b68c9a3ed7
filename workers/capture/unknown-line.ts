// Parses a line on the slow path: JSON.parse, the venue's description of the message, and a form for the next line like
// it.

import { BOOKS_MAX } from '../../storage/format/block.ts'
import { IDENTITIES, VENUES } from '../../storage/venue.ts'
import { metadataMeaning } from '../metadata/venue-metadata.ts'
import { describeGap } from '../venues/describe-gap.ts'
import { type DescribedMessage, isObject, type JsonObject, type NoRecord } from '../venues/described-message.ts'
import { describeRecord, isPrintedRecord, lacksMarket, withMarket } from '../venues/printed/printed-record.ts'
import { ofVenues } from '../venues.ts'
import { withoutByteOrderMark } from './capture-lines.ts'
import { compileForm, type FormOptions, UnevenMessage } from './compile-form.ts'
import { describeUneven, splitByBook, UNEVEN_TEXT, unevenText } from './irregular-message.ts'
import { childOf, compactJson, type JsonNode, jsonTree, lineTree, withoutKeys } from './json-tree.ts'
import { BARE_FRAME, envelopeOf, frameOf, receivedMsOf } from './line-frame.ts'
import type { LineParser, LineSink } from './line-parser.ts'

const CONTROL_TEXT = /^(?:PING|PONG|ping|pong)$/
const NO_MESSAGE = `neither ${VENUES.map((venue) => `a ${IDENTITIES[venue].label}`).join(' nor ')} message`
/** White space as in JSON. A recorder does not write other kinds on purpose. */
const BLANK = /^[ \t\r]*$/
const BACKSLASH = 0x5c
const encoder = new TextEncoder()

export function parseUnknownLine(line: Uint8Array, sink: LineSink, parser: LineParser): void {
  // Any line may begin with a byte order mark, not only the first: other tools join files into one.
  const bytes = withoutByteOrderMark(line)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return sink.reject('the line is not UTF-8')
  }
  if (BLANK.test(text)) return
  const trimmed = text.trim()
  if (CONTROL_TEXT.test(trimmed)) return sink.skip(trimmed.toLowerCase())
  try {
    JSON.parse(text)
  } catch (error) {
    return sink.reject(`the line is not JSON: ${(error as Error).message}`)
  }
  parseDocument(bytes, sink, parser)
}

/** Parses one JSON document whose grammar is already checked: a message, several, or an envelope around them. */
export function parseDocument(bytes: Uint8Array, sink: LineSink, parser: LineParser): void {
  try {
    takeApart(bytes, sink, parser)
  } catch (error) {
    sink.reject(withoutRoom(error))
  }
}

// Returns the reason for rejecting a line or message that is too large, so that the rest of the file or line is still
// read. Rethrows any other error, because a failure of the store is not a fault of the line.
function withoutRoom(error: unknown): string {
  if (!(error instanceof RangeError)) throw error
  return `the message cannot be taken apart: ${error.message}`
}

function takeApart(bytes: Uint8Array, sink: LineSink, parser: LineParser): void {
  const root = lineTree(bytes)
  if (root.type === 'object' && root.keys[0] === CONTROL_KEY) return takeControl(bytes, sink)
  const envelope = envelopeOf(bytes, root)
  const messages = new UnknownMessages(bytes, sink, parser)
  const page = pageOf(bytes, root)
  if (page !== undefined && envelope?.received === undefined) return messages.parsePage(page)
  if (envelope === undefined) {
    if (root.type === 'object') parser.learnFrame(BARE_FRAME)
    return messages.parse(root)
  }
  const { received, body, ticker } = envelope
  if (received !== undefined) {
    // Unescape the time first: a digit may be written as an escape.
    const printed = encoder.encode(compactJson(bytes, received))
    const margin = received.type === 'string' ? 1 : 0
    messages.receivedMs = receivedMsOf(printed, margin, printed.length - margin)
    if (Number.isNaN(messages.receivedMs)) return sink.reject('the envelope has no time between 2000 and 2100')
  }
  // A frame with a ticker fits one market only, so it is not learned.
  if (ticker?.type === 'string') messages.ticker = JSON.parse(compactJson(bytes, ticker))
  else parser.learnFrame(frameOf(bytes, root, envelope))
  if (body.type === 'string') return messages.parseQuoted(body)
  messages.parse(body)
}

const CONTROL_KEY = 'backbook'

function takeControl(bytes: Uint8Array, sink: LineSink): void {
  const value = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject
  const kind = value[CONTROL_KEY]
  if (typeof kind !== 'string') return sink.reject(`the line's ${CONTROL_KEY} must be text`)
  sink.control?.(kind, value)
}

const MARKET_FIELDS = VENUES.map((venue) => IDENTITIES[venue].idField)

type Page = { records: JsonNode; market: string }

/** Returns the records of a saved page, such as the answer of a raw endpoint; undefined for anything else. */
function pageOf(bytes: Uint8Array, root: JsonNode): Page | undefined {
  const records = childOf(root, 'data')
  const market = MARKET_FIELDS.map((field) => childOf(root, field)).find((node) => node !== undefined)
  if (records?.type !== 'array' || market?.type !== 'string') return undefined
  return { records, market: JSON.parse(compactJson(bytes, market)) }
}

class UnknownMessages {
  receivedMs = Number.NaN
  ticker: string | undefined
  /** Market of a page of records, as the page states it. */
  #market: string | undefined
  readonly #bytes: Uint8Array
  readonly #sink: LineSink
  readonly #parser: LineParser

  constructor(bytes: Uint8Array, sink: LineSink, parser: LineParser) {
    this.#bytes = bytes
    this.#sink = sink
    this.#parser = parser
  }

  parse(node: JsonNode): void {
    if (node.type === 'array') {
      if (node.children.length === 0) this.#sink.skip('empty')
      for (const child of node.children) this.parse(child)
      return
    }
    if (node.type !== 'object') {
      const printed = compactJson(this.#bytes, node)
      if (CONTROL_TEXT.test(printed.replaceAll('"', ''))) return this.#sink.skip('control')
      const message = this.#bytes.slice(node.start, node.end)
      return this.#sink.reject(`a message must be a JSON object, got ${printed.slice(0, 40)}`, message)
    }
    try {
      this.#message(this.#bytes, node)
    } catch (error) {
      this.#sink.reject(withoutRoom(error), this.#bytes.slice(node.start, node.end))
    }
  }

  parsePage({ records, market }: Page): void {
    this.#market = market
    this.parse(records)
  }

  /** Parses a body that is itself JSON in a string. */
  parseQuoted(node: JsonNode): void {
    const inner: string = JSON.parse(new TextDecoder().decode(this.#bytes.subarray(node.start, node.end)))
    const trimmed = inner.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
    if (CONTROL_TEXT.test(trimmed)) return this.#sink.skip(trimmed.toLowerCase())
    const bytes = encoder.encode(trimmed.isWellFormed() ? trimmed : withEscapedHalves(trimmed))
    if (this.#parser.emitKnown(bytes, this.receivedMs)) return
    try {
      JSON.parse(inner)
    } catch (error) {
      return this.#sink.reject(`the envelope's text is not JSON: ${(error as Error).message}`)
    }
    const messages = new UnknownMessages(bytes, this.#sink, this.#parser)
    messages.receivedMs = this.receivedMs
    messages.ticker = this.ticker
    messages.parse(lineTree(bytes))
  }

  /** Parses one message. `source` is the text in the capture, if the message was made from a part of it. */
  #message(bytes: Uint8Array, node: JsonNode, source?: Uint8Array): void {
    const isAll = node.start === 0 && node.end === bytes.length
    const raw = isAll ? bytes : bytes.slice(node.start, node.end)
    const original = source ?? raw
    const value: unknown = JSON.parse(new TextDecoder().decode(raw))
    if (!isObject(value)) return
    const privateKeys = ofVenues(({ privateKeys }) => privateKeys?.(value))
    if (privateKeys !== undefined) {
      this.#sink.note?.('with private fields left out')
      const bare = encoder.encode(compactJson(raw, withoutKeys(isAll ? node : jsonTree(raw), privateKeys)))
      return this.#message(bare, jsonTree(bare), original)
    }
    const { ticker } = this
    const restHead = ticker === undefined ? undefined : ofVenues((venue) => venue.restHead?.(ticker, value))
    if (restHead !== undefined) return this.#restBody(restHead, raw, original)
    if (isPrintedRecord(value)) return this.#printedRecord(raw, isAll ? node : jsonTree(raw), value, original)
    const frame = ofVenues((venue) => venue.frame?.(value))
    if (frame !== undefined && 'body' in frame) return this.#messagesIn(bytes, childOf(node, frame.body)!)
    const described = frame ?? describeGap(value) ?? ofVenues((venue) => venue.describe(value))
    if (described === undefined) {
      // Saved REST answers have the document under `response`.
      const document = isObject(value['response']) ? value['response'] : value
      const page = ofVenues(({ metadata }) => metadata.page(document))
      if (page !== undefined) return this.#metadataOf(page)
      if (metadataMeaning(document) !== undefined) return this.#sink.metadata(document, original)
      return this.#sink.reject(NO_MESSAGE, original)
    }
    if ('skip' in described) return this.#sink.skip(described.skip, value)
    if ('reject' in described) return this.#sink.reject(described.reject, original)
    this.#record(raw, isAll ? node : jsonTree(raw), described, original, this.receivedMs)
  }

  #messagesIn(bytes: Uint8Array, body: JsonNode): void {
    for (const node of body.type === 'array' ? body.children : [body]) this.#message(bytes, node)
  }

  #metadataOf(page: readonly JsonObject[]): void {
    for (const document of page) this.#sink.metadata(document, encoder.encode(JSON.stringify(document)))
  }

  /** Parses a REST body that names no market. `head` is the JSON text that precedes the body and names the market. */
  #restBody(head: string, body: Uint8Array, source: Uint8Array): void {
    const raw = new Uint8Array(Buffer.concat([encoder.encode(head), body, encoder.encode('}')]))
    const value = JSON.parse(new TextDecoder().decode(raw)) as JsonObject
    const described = ofVenues((venue) => venue.describe(value))
    if (described === undefined || isNoRecord(described)) {
      return this.#sink.reject(`the ticker ${this.ticker} is invalid`, source)
    }
    this.#record(raw, jsonTree(raw), described, source, this.receivedMs)
  }

  #printedRecord(raw: Uint8Array, root: JsonNode, value: JsonObject, source: Uint8Array): void {
    if (lacksMarket(value)) {
      if (this.#market !== undefined) return this.#gapOf(this.#market, raw, value)
      return this.#sink.gap?.(raw)
    }
    const described = describeRecord(value, this.#parser.source)
    if ('skip' in described) return this.#sink.skip(described.skip)
    if ('reject' in described) return this.#sink.reject(described.reject, source)
    const received = value['received_at']
    this.#record(raw, root, described, source, typeof received === 'number' ? received : Number.NaN)
  }

  #gapOf(market: string, raw: Uint8Array, value: JsonObject): void {
    const named = withMarket(raw, market)
    this.#printedRecord(named, jsonTree(named), { ...value, market }, raw)
  }

  // Tries three ways: the message as it is, because the next line will probably look the same; then split by book; then
  // as text.
  #record(raw: Uint8Array, root: JsonNode, described: DescribedMessage, source: Uint8Array, receivedMs: number): void {
    if (described.note !== undefined) this.#sink.note?.(described.note)
    if (this.#tryForm(raw, root, described, source, receivedMs)) return
    const parts = described.book?.list ? splitByBook(raw, root, described.book.list) : []
    if (parts.length > BOOKS_MAX) return this.#sink.reject(`a message may be about at most ${BOOKS_MAX} books`, source)
    for (const part of parts.length > 1 ? parts : []) this.#message(part, jsonTree(part), source)
    if (parts.length > 1) return
    const value = JSON.parse(new TextDecoder().decode(raw)) as Record<string, unknown>
    const uneven = encoder.encode(unevenText(compactJson(raw, nodeAt(root, described.msg)), value, described))
    const form = compileForm(uneven, jsonTree(uneven), describeUneven(described), {
      ...this.#options(described, receivedMs),
      textPath: UNEVEN_TEXT,
    })
    form.shape.parts = [{ slot: 0 }]
    form.shapeKey += ' uneven'
    if (!this.#parser.emitParsed(form, uneven, receivedMs, source))
      this.#sink.reject('the message cannot be taken apart', source)
  }

  // Learns a form only from text that other lines can repeat: unchanged, and without escapes.
  #tryForm(
    raw: Uint8Array,
    root: JsonNode,
    described: DescribedMessage,
    source: Uint8Array,
    receivedMs: number,
  ): boolean {
    try {
      if (!raw.includes(BACKSLASH)) {
        const form = compileForm(raw, root, described, this.#options(described, receivedMs))
        if (this.#parser.emitParsed(form, raw, receivedMs, source)) {
          if (!described.isSingular) this.#parser.learnForm(form)
          return true
        }
      }
      const compact = encoder.encode(compactJson(raw, root))
      const form = compileForm(compact, jsonTree(compact), described, this.#options(described, receivedMs))
      return this.#parser.emitParsed(form, compact, receivedMs, source)
    } catch (error) {
      if (error instanceof UnevenMessage) return false
      throw error
    }
  }

  #options({ printed }: DescribedMessage, receivedMs: number): FormOptions {
    return {
      hasReceivedMs: !Number.isNaN(receivedMs),
      source: printed === null ? this.#parser.source : printed.source,
      isYesScale: this.#parser.isYesScale || printed?.isYesScale === true,
    }
  }
}

/** Escapes unpaired surrogates, which UTF-8 cannot encode. In JSON they occur only within strings. */
const withEscapedHalves = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)

const nodeAt = (root: JsonNode, path: string): JsonNode =>
  path === '' ? root : path.split('.').reduce((node, key) => childOf(node, key)!, root)

const isNoRecord = (described: DescribedMessage | NoRecord): described is NoRecord =>
  'skip' in described || 'reject' in described
