// The frame of a line: which of its bytes are the recorder's fixed envelope, and where the receipt time and the message
// body are. The lines of a capture have few different frames, so a line is recognised by comparing bytes.

import { viewOf } from '../bytes/byte-words.ts'
import { venueTimeUs } from '../venues/venue-time.ts'
import { childOf, type JsonNode } from './json-tree.ts'

const withUnits = (names: string[]) => names.flatMap((name) => [name, `${name}_ms`, `${name}_us`, `${name}_ns`])
const joined = (words: string[], ends: string[]) => withUnits(words.flatMap((word) => ends.map((end) => word + end)))

const RECEIVED_NAMES = [
  ...['recv_ms', 'received_at', 'recv_ts_ms', 'recv_ts_ns', 'recv_ns', 'recv_us', 'ts_recv', 'timestamp_received'],
  ...joined(['recv', 'receive', 'received'], ['', '_at', '_ts', '_time', '_timestamp']),
  ...joined(['ts', 'time', 'timestamp'], ['_recv', '_received']),
  ...joined(['local', 'capture', 'arrival'], ['_ts', '_time', '_timestamp']),
  ...withUnits(['captured_at', 'recorded_at', 'arrived_at']),
]
const inCamelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Names that recorders use for the receipt time. The first one in an envelope that is not null is used. A clock beside
 *  a message is the recorder's, even if its name does not say so. */
const RECEIVED_KEYS = [
  ...RECEIVED_NAMES,
  ...RECEIVED_NAMES.map(inCamelCase),
  ...withUnits(['ts', 'timestamp', 'time']).flatMap((name) => [name, inCamelCase(name)]),
]
const TYPE_KEYS = ['type', 'event_type']
const MARKET_KEYS = ['market', 'markets', 'market_ticker', 'ticker']
const BODY_KEYS = ['event', 'message', 'msg', 'data', 'raw', 'raw_text', 'payload', 'frame']

export type FramePart =
  | { type: 'literal'; bytes: Uint8Array; view: DataView }
  | { type: 'received'; isQuoted: boolean }
  | { type: 'body' }
  /** The body as JSON text within a JSON string. The quotation marks around it are part of the neighbouring `literal`
   *  parts. */
  | { type: 'text' }
  /** A whole number that is not used, such as a sequence number or another clock. */
  | { type: 'number' }
export type LineFrame = { parts: FramePart[]; hasReceivedMs: boolean }

/** A frame without an envelope: the line is the message. */
export const BARE_FRAME: LineFrame = { parts: [{ type: 'body' }], hasReceivedMs: false }

/** The parts of an envelope. `ticker` is the market of a REST answer, as its recorder names it. */
export type Envelope = { received: JsonNode | undefined; body: JsonNode; ticker: JsonNode | undefined }

/** Returns the envelope's parts; undefined for an object that is itself a message: an object with a type, or an
 *  object with a market whose body has no type. A saved REST answer is always an envelope. */
export function envelopeOf(text: Uint8Array, root: JsonNode): Envelope | undefined {
  if (root.type !== 'object') return undefined
  const isRest = root.keys.includes('source') && childOf(root, 'raw')?.type === 'string'
  const bodyKey = BODY_KEYS.find((key) => root.keys.includes(key))
  if (bodyKey === undefined) return undefined
  const isMessage = hasKey(root, TYPE_KEYS) || (hasKey(root, MARKET_KEYS) && !isTyped(text, childOf(root, bodyKey)!))
  if (isMessage && !isRest) return undefined
  const receivedKey = RECEIVED_KEYS.find((key) => root.keys.includes(key) && !isNull(text, childOf(root, key)!))
  return {
    received: receivedKey === undefined ? undefined : childOf(root, receivedKey),
    body: childOf(root, bodyKey)!,
    ticker: isRest ? childOf(root, 'ticker') : undefined,
  }
}

const hasKey = (node: JsonNode, keys: string[]): boolean =>
  node.type === 'object' && keys.some((key) => node.keys.includes(key))

const isNull = (text: Uint8Array, { type, start }: JsonNode): boolean => type === 'literal' && text[start] === 0x6e

/** Returns whether a body is a message with a type, a list with such a message, or JSON text. */
function isTyped(text: Uint8Array, body: JsonNode): boolean {
  if (body.type === 'string') return OPENING_BRACKETS.includes(text[body.start + 1]!)
  return body.type === 'array' ? body.children.some((child) => isTyped(text, child)) : hasKey(body, TYPE_KEYS)
}

const OPENING_BRACKETS = [0x7b, 0x5b]

/** Returns the frame of lines like this one. */
export function frameOf(text: Uint8Array, root: JsonNode, { received, body }: Envelope): LineFrame {
  const parts: FramePart[] = []
  let copied = root.start
  const literalTo = (end: number) => {
    if (end === copied) return
    const bytes = text.slice(copied, end)
    parts.push({ type: 'literal', bytes, view: viewOf(bytes) })
  }
  const isClock = received?.type === 'number' || received?.type === 'string'
  const others = root.type === 'object' ? root.children.filter((child) => isWholeNumber(text, child)) : []
  const places = new Set([...(isClock ? [received] : []), body, ...others])
  for (const place of [...places].sort((a, b) => a.start - b.start)) {
    const isQuoted = place.type === 'string'
    literalTo(place.start + (isQuoted ? 1 : 0))
    if (place === body) parts.push({ type: isQuoted ? 'text' : 'body' })
    else parts.push(place === received ? { type: 'received', isQuoted } : { type: 'number' })
    copied = place.end - (isQuoted ? 1 : 0)
  }
  literalTo(root.end)
  return { parts, hasReceivedMs: isClock }
}

const isWholeNumber = (text: Uint8Array, { type, start, end }: JsonNode): boolean =>
  type === 'number' && wholeNumberEnd(text, start, end) === end

/** Returns the whole number printed in bytes[start..end); -1 if it is anything else. */
export function wholeAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return -1
    value = 10 * value + digit
  }
  return end > start && Number.isSafeInteger(value) ? value : -1
}

/** Returns where the digits of a whole number end; -1 if there are none, or if a longer number begins with 0. */
export function wholeNumberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++
  return at === start || (at - start > 1 && bytes[start] === 0x30) ? -1 : at
}

const decoder = new TextDecoder()
const CLOCK_MIN_MS = Date.UTC(2000, 0, 1)
const CLOCK_MAX_MS = Date.UTC(2100, 0, 1)

export const MS_DIGITS = 13
const US_DIGITS = 16
const NS_DIGITS = 19

/** Returns where a clock in the usual spelling ends: as many digits as milliseconds, microseconds or nanoseconds have,
 *  followed by a quote, comma or brace. Returns -1 for any other text. */
export function wholeClockEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++
  const digits = at - start
  if (digits !== MS_DIGITS && digits !== US_DIGITS && digits !== NS_DIGITS) return -1
  const next = bytes[at]
  return at < end && (next === 0x2c || next === 0x7d || next === 0x22) ? at : -1
}

/** Returns the milliseconds of a clock that `wholeClockEnd` accepts, as `receivedMsOf` does; NaN outside 2000 to
 *  2100. */
export function wholeClockMs(bytes: Uint8Array, start: number): number {
  let value = 0
  for (let at = start; at < start + MS_DIGITS; at++) value = value * 10 + bytes[at]! - 0x30
  return value >= CLOCK_MIN_MS && value < CLOCK_MAX_MS ? value : Number.NaN
}

/** Returns milliseconds from a recorder's clock: a number of s, ms, µs or ns, distinguished by its size, or RFC 3339.
 *  Returns NaN for anything else, and outside 2000 to 2100. */
export function receivedMsOf(bytes: Uint8Array, start: number, end: number): number {
  const receivedMs = end - start < 15 ? venueTimeMs(bytes, start, end) : longClockMs(bytes, start, end)
  return receivedMs >= CLOCK_MIN_MS && receivedMs < CLOCK_MAX_MS ? receivedMs : Number.NaN
}

const venueTimeMs = (bytes: Uint8Array, start: number, end: number): number =>
  Math.floor(venueTimeUs(bytes, start, end) / 1_000)

/** A number with up to MS_DIGITS_MAX digits is in milliseconds or seconds; with up to US_DIGITS_MAX, in
 *  microseconds. */
const MS_DIGITS_MAX = 14
const US_DIGITS_MAX = 17

function longClockMs(bytes: Uint8Array, start: number, end: number): number {
  const text = decoder.decode(bytes.subarray(start, end))
  const number = /^0*(\d+)(?:\.\d+)?(e[+-]?\d{1,2})?$/i.exec(text)
  if (number === null) return venueTimeMs(bytes, start, end)
  const [, whole, exponent] = number
  if (exponent !== undefined) {
    const value = Number(text)
    return value < 10 ** MS_DIGITS_MAX ? venueTimeMs(bytes, start, end) : byDigits(value.toFixed(0))
  }
  return whole!.length <= MS_DIGITS_MAX ? venueTimeMs(bytes, start, end) : byDigits(whole!)
}

// Cuts digits instead of dividing: a number of nanoseconds exceeds the exact range of a double.
const byDigits = (digits: string): number => Number(digits.slice(0, digits.length > US_DIGITS_MAX ? -6 : -3))
