// What stands around the messages of a line: a recorder's envelope, as literal bytes, its clock and the body. Captures
// have one frame, or a few, so a line is recognised by comparing bytes.

import { parseDecimal, parsedDecimal } from '../../storage/columns/decimal-text.ts'
import { parseInstant } from '../../storage/columns/instant-text.ts'
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
  const isMessage = ['type', 'event_type', 'market', 'market_ticker', 'ticker'].some((key) => root.keys.includes(key))
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

/** Milliseconds from a recorder's clock: ms or s as a number, or RFC 3339; NaN where it is neither. */
export function receivedMsOf(bytes: Uint8Array, start: number, end: number): number {
  const mantissa = parseDecimal(bytes, start, end)
  if (!Number.isNaN(mantissa)) {
    const value = mantissa / 10 ** parsedDecimal.places
    return Math.floor(value < 1e11 ? value * 1_000 : value)
  }
  const instantUs = parseInstant(bytes, start, end)
  if (!Number.isNaN(instantUs)) return Math.floor(instantUs / 1_000)
  const text = new TextDecoder().decode(bytes.subarray(start, end))
  return Math.floor(Number.isNaN(Number(text)) ? Date.parse(text) : Number(text))
}
