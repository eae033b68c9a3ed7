// What the recorder reads of a frame of Kalshi: the envelope, and of the message the market and the venue's time. The
// text itself goes into the segment as it came, whether or not it can be read here.

export type KalshiMessage = {
  /** Empty where the message names none. */
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

const NO_FIELDS: Record<string, unknown> = {}

/** The messages of a frame; undefined where it is no JSON. Kalshi sends one object a frame, and ends it with a newline;
 *  an array is read as several messages. */
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
    // A confirmation names its sid inside.
    sid: countOf(envelope['sid']) ?? countOf(msg['sid']),
    seq: countOf(envelope['seq']),
    market: typeof market === 'string' ? market : undefined,
    venueMs: countOf(msg['ts_ms']),
    msg,
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : NO_FIELDS

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
