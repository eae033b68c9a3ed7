// Reads a capture: a file of JSON lines, or one JSON document. A line or document is a message, an array of messages,
// or an envelope around one of these.

import { readFileSync } from 'node:fs'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { clockNs, nsToMs, timeNs } from './exact.ts'
import { isGammaMarket } from './finding/metadata.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import {
  type GivenScale,
  isOfSocket,
  looksLikeKalshi,
  publicPart,
  readKalshi,
  type Scale,
  scaleIn,
  scaleOf,
  TICKER,
} from './kalshi-message.ts'
import type { Message, Reading } from './message.ts'
import { CONDITION_ID, isRealTime, looksLikePolymarket, readPolymarket } from './polymarket-message.ts'
import { isPage, isPrinted, readPage, readPrinted, UNNAMED } from './printed-record.ts'

export type Reject = { file: string; line: number; reason: string }
export type CapturedMessage = Message & { line: number }
export type Capture = {
  name: string
  messages: CapturedMessage[]
  rejects: Reject[]
  skippedCount: number
  /** The venues' descriptions of markets and events. */
  metadata: JsonObject[]
  /** The recorder that wrote the segment; null if the capture is not a segment. */
  recorder: string | null
  /** Whether the capture is refused because the scale of its NO prices is unknown. */
  isRefused: boolean
}

const MARKET_KEYS = ['market', 'markets', 'market_ticker', 'ticker']
const BODY_KEYS = ['event', 'message', 'msg', 'data', 'raw', 'raw_text', 'payload', 'frame']
const CLOCK_FROM_MS = Date.UTC(2000, 0, 1)
const CLOCK_TO_MS = Date.UTC(2100, 0, 1)
const UNITS = ['', '_ms', '_us', '_ns']
const RECEIVED_NAMES = [
  ...['recv_ms', 'received_at', 'recv_ts_ms', 'recv_ts_ns', 'recv_ns', 'recv_us', 'ts_recv', 'timestamp_received'],
  ...['recv', 'receive', 'received'].flatMap((word) =>
    ['', '_at', '_ts', '_time', '_timestamp'].flatMap((what) => UNITS.map((unit) => word + what + unit)),
  ),
  ...['ts', 'time', 'timestamp'].flatMap((what) =>
    ['_recv', '_received'].flatMap((word) => UNITS.map((unit) => what + word + unit)),
  ),
  ...['local', 'capture', 'arrival'].flatMap((word) =>
    ['_ts', '_time', '_timestamp'].flatMap((what) => UNITS.map((unit) => word + what + unit)),
  ),
  ...['captured_at', 'recorded_at', 'arrived_at'].flatMap((name) => UNITS.map((unit) => name + unit)),
]
const inCamelCase = (name: string) =>
  name
    .split('_')
    .map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
const PLAIN_CLOCKS = ['ts', 'timestamp', 'time'].flatMap((name) => UNITS.map((unit) => name + unit))
const RECEIVED_KEYS = [
  ...RECEIVED_NAMES,
  ...RECEIVED_NAMES.map(inCamelCase),
  ...PLAIN_CLOCKS.flatMap((name) => [name, inCamelCase(name)]),
]
const CONTROL_TEXT = /^(?:ping|pong|heartbeat)$/i

export function readCaptureFile(file: string): Capture {
  const bytes = readFileSync(file)
  if (file.endsWith('.gz')) return readCapture(file, gunzipSync(bytes).toString())
  if (file.endsWith('.zst')) return readCapture(file, zstdDecompressSync(bytes).toString())
  return file.endsWith('.json') ? readCapture(file, bytes.toString(), true) : readCapture(file, bytes.toString())
}

export function readCapture(name: string, text: string, isOneDocument = false, noPrices: GivenScale = 'no'): Capture {
  const capture: Capture = {
    ...{ name, messages: [], rejects: [], skippedCount: 0, metadata: [], recorder: null, isRefused: false },
  }
  const scales: (Scale | 'default')[] = []
  const lines = isOneDocument ? [text] : text.split('\n')
  lines.forEach((line, index) => {
    const content = line.replace(/^\uFEFF/, '')
    if (/^[ \t\r]*$/.test(content)) return
    for (const reading of readText(content, null)) {
      if ('document' in reading) capture.metadata.push(reading.document)
      if ('recorder' in reading) capture.recorder = reading.recorder ?? capture.recorder
      if ('scale' in reading && reading.scale !== undefined) scales.push(reading.scale)
      if ('skipped' in reading) capture.skippedCount++
      else if ('rejected' in reading) capture.rejects.push({ file: name, line: index + 1, reason: reading.rejected })
      else for (const message of reading.messages) capture.messages.push({ ...message, line: index + 1 })
    }
  })
  nameMarkets(capture)
  for (const messages of Map.groupBy(capture.messages, ({ source }) => source).values()) numberStretches(messages)
  const scale = scaleOf(capture.messages, scales, noPrices)
  capture.isRefused = scale === null
  for (const message of capture.messages) if (scale === 'yes' && isOfSocket(message)) message.isYesScale = true
  return capture
}

/** Numbers the stretches of one source's messages. A new one begins if the receipt time steps back by more than 1 s,
 *  or, at changes without a receipt time, if the venue's time steps back by more than 1 min. */
function numberStretches(messages: CapturedMessage[]): void {
  let stretch = 0
  let [received, sent] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const message of messages) {
    const { receivedAt, venueNs, givenMs, type } = message
    const own = givenMs ?? (venueNs === undefined ? undefined : nsToMs(venueNs))
    const sentAt = receivedAt === null && type === 'delta' ? own : undefined
    const isBack = (receivedAt ?? received) < received - 1_000 || (sentAt ?? sent) < sent - 60_000
    if (isBack) [stretch, received, sent] = [stretch + 1, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    received = Math.max(received, receivedAt ?? received)
    sent = Math.max(sent, sentAt ?? sent)
    message.stretch = stretch
  }
  // More than 16 steps back, in more than 1 of 100 messages, mean that several feeds alternate: no files were joined.
  if (stretch > 16 && 100 * stretch > messages.length) for (const message of messages) message.stretch = 0
}

/** Assigns printed Polymarket gaps without a market to the market of the record before, or else of the one after. */
function nameMarkets(capture: Capture): void {
  const { messages } = capture
  const isNamed = ({ venue, market }: Message) => venue === 'polymarket' && market !== UNNAMED
  messages.forEach((message, index) => {
    if (message.market !== UNNAMED) return
    const named = messages.slice(0, index).findLast(isNamed) ?? messages.slice(index).find(isNamed)
    if (named !== undefined) message.market = named.market
  })
  for (const { line, market } of messages) {
    if (market === UNNAMED) capture.rejects.push({ file: capture.name, line, reason: 'a gap of no market' })
  }
  capture.messages = messages.filter(({ market }) => market !== UNNAMED)
}

const DEPTH_MAX = 512

/** Returns how deep the arrays and objects of a JSON text are nested. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [character] of text.replace(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[{\]}]/g)) {
    depth += character === '[' || character === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function readText(text: string, receivedAt: number | null): Reading[] {
  if (CONTROL_TEXT.test(text.trim())) return [{ skipped: text }]
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return [{ rejected: 'not JSON' }]
  }
  if (depthOf(text) > DEPTH_MAX) return [{ rejected: 'too deep' }]
  if (isObject(value) && Object.keys(value)[0] === 'backbook') return [readControl(value)]
  const envelope = isObject(value) ? openEnvelope(value, numbersOf(text, value)) : undefined
  if (isObject(value) && isPage(value) && (envelope?.receivedAt ?? null) === null) return readPage(value)
  if (envelope === undefined) return readValue(value, receivedAt)
  if (envelope.receivedAt === undefined) return [{ rejected: 'the envelope has no time that can be read' }]
  const { body } = envelope
  if (typeof body !== 'string') return readValue(body, envelope.receivedAt)
  if (CONTROL_TEXT.test(body.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''))) return [{ skipped: body }]
  try {
    const inner: Json = JSON.parse(body)
    return depthOf(body) > DEPTH_MAX ? [{ rejected: 'too deep' }] : readValue(inner, envelope.receivedAt)
  } catch {
    return [{ rejected: 'the body is not JSON' }]
  }
}

/** Reads a control line, in which backbook describes its own recording. */
function readControl(line: JsonObject): Reading {
  const { backbook: kind, recorder } = line
  if (typeof kind !== 'string') return { rejected: 'a control line of no kind' }
  if (kind !== 'segment') return { skipped: kind }
  return { skipped: kind, recorder: typeof recorder === 'string' ? recorder : null, scale: scaleIn(line) }
}

/** Returns the object in the text, with the numbers of its top level as printed. */
function numbersOf(text: string, { ...value }: JsonObject): JsonObject {
  const printed = new Map<unknown, JsonObject>()
  const root: unknown = JSON.parse(text, function (this: unknown, key, item, context?: { source: string }) {
    if (typeof item === 'number') printed.set(this, { ...printed.get(this), [key]: context!.source })
    return item
  })
  return { ...value, ...printed.get(root) }
}

/** Returns undefined for an object that is itself a message. `printed`: the object's numbers as printed.
 *  `receivedAt`: null without a time, undefined if the time is invalid. */
function openEnvelope(
  value: JsonObject,
  printed: JsonObject,
): { body: Json; receivedAt: number | null | undefined } | undefined {
  const bodyKey = BODY_KEYS.find((key) => key in value)
  if (bodyKey === undefined || namesType(value)) return undefined
  if (MARKET_KEYS.some((key) => key in value) && !holdsMessage(value[bodyKey]!)) return undefined
  const receivedKey = RECEIVED_KEYS.find((key) => (value[key] ?? null) !== null)
  const received = receivedKey === undefined ? null : value[receivedKey]!
  const receivedNs = clockNs(receivedKey === undefined ? received : (printed[receivedKey] ?? null))
  const receivedMs = receivedNs === undefined ? Number.NaN : nsToMs(receivedNs)
  const isClock = receivedMs >= CLOCK_FROM_MS && receivedMs < CLOCK_TO_MS
  return { body: value[bodyKey]!, receivedAt: received === null ? null : isClock ? receivedMs : undefined }
}

const namesType = (value: JsonObject) => 'type' in value || 'event_type' in value

const holdsMessage = (body: Json): boolean =>
  Array.isArray(body)
    ? body.some(holdsMessage)
    : typeof body === 'string'
      ? /^[[{]/.test(body)
      : isObject(body) && namesType(body)

/** Returns whether the object is a REST description of markets or events, which is not a record. */
function isMetadata(value: JsonObject): boolean {
  const { markets, market, event, ticker, title, event_ticker: eventTicker } = value
  const isKalshi = [market, event].some((part) => isObject(part) && typeof part['event_ticker'] === 'string')
  const isAlone = typeof eventTicker === 'string' && (typeof ticker === 'string' || typeof title === 'string')
  return isGammaMarket(value) || Array.isArray(markets) || isKalshi || isAlone
}

function readValue(given: Json, receivedAt: number | null): Reading[] {
  const value = isObject(given) ? publicPart(given) : given
  if (isObject(value) && isPrinted(value)) return [readPrinted(value)]
  if (Array.isArray(value)) {
    return value.length === 0 ? [{ skipped: '[]' }] : value.flatMap((item) => readValue(item, receivedAt))
  }
  if (typeof value === 'string' && CONTROL_TEXT.test(value)) return [{ skipped: value }]
  if (!isObject(value)) return [{ rejected: 'not an object' }]
  if (value['type'] === 'gap' && isObject(value['msg'])) return [readGap(value, value['msg'], receivedAt)]
  if (typeof value['cmd'] === 'string' && isObject(value['params'])) {
    return [{ skipped: 'command', scale: scaleIn(value) }]
  }
  if (isRealTime(value)) {
    const isBook = value['topic'] === 'clob_market' && value['type'] === 'agg_orderbook'
    return isBook ? readValue(value['payload']!, receivedAt) : [{ skipped: `${value['topic']}/${value['type']}` }]
  }
  if (looksLikePolymarket(value)) return [readPolymarket(value, receivedAt)]
  if (looksLikeKalshi(value)) return [readKalshi(value, receivedAt)]
  // Saved REST answers are in the field `response`.
  const document = isObject(value['response']) ? value['response'] : value
  if (isMetadata(document)) return [{ skipped: 'metadata', document }]
  return [{ rejected: 'neither a Polymarket nor a Kalshi message' }]
}

function readGap(value: JsonObject, msg: JsonObject, receivedAt: number | null): Reading {
  const { venue, market: named, asset_id: asset } = value
  if ((venue !== 'kalshi' && venue !== 'polymarket') || typeof named !== 'string') {
    return { rejected: 'a gap names its venue and its market' }
  }
  if (!(venue === 'kalshi' ? TICKER : CONDITION_ID).test(named)) return { rejected: 'no market of its venue' }
  if (typeof asset === 'string' && !asset.isWellFormed()) return { rejected: 'the asset is no text' }
  const market = venue === 'kalshi' ? named.toUpperCase() : named.toLowerCase()
  const book = venue === 'kalshi' ? market : typeof asset === 'string' && asset !== '' ? asset : null
  const venueNs = timeNs(msg['from'])
  const times = { venueNs, quoteNs: venueNs, fullNs: undefined, givenMs: undefined }
  return { messages: [{ venue, market, book, type: 'gap', receivedAt, ...times, sid: null, seq: null, msg }] }
}
