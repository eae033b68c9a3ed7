// Parses a frame of Kalshi: the envelope, and the market and venue time of the message. The text is written to the
// segment as received, whether or not it can be parsed here.

import { isObject, type JsonObject } from '../../../../workers/venues/described-message.ts'

export type KalshiMessage = {
  /** Empty if the message has no type. */
  type: string
  id: number | undefined
  sid: number | undefined
  seq: number | undefined
  /** `market_ticker` of the message. */
  market: string | undefined
  /** The venue's own time, ms UTC. */
  venueMs: number | undefined
  msg: Record<string, unknown>
}

const NO_FIELDS: JsonObject = {}

/** Returns the messages of a frame; undefined if it is not JSON. Kalshi sends one object per frame, followed by a
 *  newline; an array is read as several messages. */
export function messagesIn(text: string): KalshiMessage[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  return Array.isArray(parsed) ? parsed.map(messageOf) : [messageOf(parsed)]
}

function messageOf(value: unknown): KalshiMessage {
  const envelope = objectOf(value)
  const msg = objectOf(envelope['msg'])
  const market = msg['market_ticker']
  return {
    type: typeof envelope['type'] === 'string' ? envelope['type'] : '',
    id: countOf(envelope['id']),
    // A confirmation has its sid inside `msg`.
    sid: countOf(envelope['sid']) ?? countOf(msg['sid']),
    seq: countOf(envelope['seq']),
    market: typeof market === 'string' ? market : undefined,
    venueMs: countOf(msg['ts_ms']),
    msg,
  }
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : NO_FIELDS)

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** `next`: the expected number. `duplicate`: a number that was sent before. Otherwise numbers are missing: counting
 *  then continues from the number that was received, so a hole is reported once. */
type SequenceVerdict = 'next' | 'duplicate' | { expected: number; got: number }

export class SequenceTracker {
  readonly #last = new Map<number, number>()

  accept(sid: number, seq: number): SequenceVerdict {
    const last = this.#last.get(sid) ?? 0
    if (seq <= last) return 'duplicate'
    this.#last.set(sid, seq)
    return seq === last + 1 ? 'next' : { expected: last + 1, got: seq }
  }

  /** Forgets a subscription that has ended: the venue may reuse its sid, and then counts from 1 again. */
  forget(sid: number): void {
    this.#last.delete(sid)
  }
}
