// What stands around the messages of a line: a recorder's envelope, as literal bytes, its clock and the body. Captures
// have one frame, or a few, so a line is recognised by comparing bytes.

import { venueTimeUs } from '../venues/venue-time.ts'
import { childOf, type JsonNode } from './json-tree.ts'

const RECEIVED_KEYS = ['recv_ms', 'received_at', 'recv_ts_ms']
const BODY_KEYS = ['event', 'message', 'data', 'raw', 'raw_text']

export type FramePart =
  | { type: 'literal'; bytes: Uint8Array }
  | { type: 'received'; isQuoted: boolean }
  | { type: 'body' }
export type LineFrame = { parts: FramePart[]; hasReceivedMs: boolean }

/** A frame without an envelope: the message is the line. */
export const BARE_FRAME: LineFrame = { parts: [{ type: 'body' }], hasReceivedMs: false }

export type Envelope = { received: JsonNode | undefined; body: JsonNode }

/** The envelope's parts; undefined for an object that is a message itself. */
export function envelopeOf(root: JsonNode): Envelope | undefined {
  if (root.type !== 'object') return undefined
  const isMessage = ['type', 'event_type', 'market', 'markets', 'market_ticker', 'ticker'].some((key) =>
    root.keys.includes(key),
  )
  if (isMessage) return undefined
  const bodyKey = BODY_KEYS.find((key) => root.keys.includes(key))
  if (bodyKey === undefined) return undefined
  const receivedKey = RECEIVED_KEYS.find((key) => root.keys.includes(key))
  return {
    received: receivedKey === undefined ? undefined : childOf(root, receivedKey),
    body: childOf(root, bodyKey)!,
  }
}

/** The frame of lines like this one. */
export function frameOf(text: Uint8Array, root: JsonNode, { received, body }: Envelope): LineFrame {
  const parts: FramePart[] = []
  let copied = root.start
  const literalTo = (end: number) => {
    if (end > copied) parts.push({ type: 'literal', bytes: text.slice(copied, end) })
  }
  const isClock = received?.type === 'number' || received?.type === 'string'
  const places = [...(isClock ? [received] : []), body].sort((a, b) => a.start - b.start)
  for (const place of places) {
    const isQuoted = place !== body && place.type === 'string'
    literalTo(place.start + (isQuoted ? 1 : 0))
    parts.push(place === body ? { type: 'body' } : { type: 'received', isQuoted })
    copied = place.end - (isQuoted ? 1 : 0)
  }
  literalTo(root.end)
  return { parts, hasReceivedMs: isClock }
}

const CLOCK_MIN_MS = Date.UTC(2000, 0, 1)
const CLOCK_MAX_MS = Date.UTC(2100, 0, 1)

/** Bytes that `wholeReceivedMs` reads. */
export const WHOLE_MS_DIGITS = 13

/** What `receivedMsOf` makes of the usual spelling, thirteen digits before a quote, comma or brace; NaN for any other. */
export function wholeReceivedMs(bytes: Uint8Array, start: number, end: number): number {
  const valueEnd = start + WHOLE_MS_DIGITS
  if (valueEnd >= end) return Number.NaN
  let value = 0
  for (let at = start; at < valueEnd; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  const next = bytes[valueEnd]!
  const isWhole = next === 0x2c || next === 0x7d || next === 0x22
  return isWhole && value >= CLOCK_MIN_MS && value < CLOCK_MAX_MS ? value : Number.NaN
}

/** Milliseconds from a recorder's clock: ms or s as a number, or RFC 3339; NaN where it is neither, or beyond sense. */
export function receivedMsOf(bytes: Uint8Array, start: number, end: number): number {
  const receivedMs = Math.floor(venueTimeUs(bytes, start, end) / 1_000)
  return receivedMs >= CLOCK_MIN_MS && receivedMs < CLOCK_MAX_MS ? receivedMs : Number.NaN
}
