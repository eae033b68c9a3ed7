// A venue's description of one form of its messages: the kind of record, and the paths of the values that we
// understand. Examples: `msg.price_dollars`, `bids[].price`, `msg.yes_dollars_fp[][0]`.

import type { RecordKind, TakerMeaning } from '../../storage/format/shape.ts'
import type { Venue } from '../../storage/venue.ts'

/** Path of a price or size. `mayBeCents`: a value without a decimal point is in cents. */
export type AmountPath = { path: string; mayBeCents: boolean }

export type DescribedMessage = {
  venue: Venue
  kind: RecordKind
  /** Path of the part that becomes the record's `msg`; '' is the whole message. */
  msg: string
  /** The message's `type` if only its `msg` part is stored; else null. */
  envelopeType: string | null
  market: string
  /** Path of the book's id. There is one book for the whole message if `list` is null, otherwise one for each element
   *  of the list. Null if the message is about the whole market. */
  book: { path: string; list: string | null } | null
  sid: string | null
  seq: string | null
  /** Path of the venue's time, and of the more precise time if the message has two. Null if the message has no time. */
  eventTime: string | null
  quoteTime: string | null
  changes: { list: string | null; price: AmountPath; size: AmountPath; side: string; isSigned: boolean } | null
  levels: { list: string; side: 'bid' | 'ask'; price: AmountPath; size: AmountPath; isComplement: boolean }[]
  best: { bid: string; ask: string } | null
  trade: {
    price: AmountPath
    size: AmountPath
    side: string | null
    sideMeaning: TakerMeaning
    id: string | null
  } | null
  /** Set for a printed record (printed-record.ts), null for any other message. `eventTime` is then the record's stored
   *  event time, `received` its `received_at`, and `source` its archive. `source` is undefined for the user's own
   *  records. */
  printed: { received: string | null; source: string | undefined; isYesScale: boolean } | null
  /** Whether the message's sides are YES and NO, with NO prices on the scale of the capture (no-prices.ts). */
  hasNoPrices: boolean
  /** Whether a value of the message decided the kind. If so, other messages of the same form may be of another
   *  kind. */
  isSingular: boolean
  /** Remark about the message, as for `LineSink.note`. */
  note?: string
}

type IdentityFields = Pick<DescribedMessage, 'venue' | 'kind' | 'msg' | 'envelopeType' | 'market' | 'book'>

/** Returns a description with these fields. No other value of the message is described. */
export const emptyDescription = (named: IdentityFields): DescribedMessage => ({
  ...named,
  sid: null,
  seq: null,
  eventTime: null,
  quoteTime: null,
  changes: null,
  levels: [],
  best: null,
  trade: null,
  printed: null,
  hasNoPrices: false,
  isSingular: false,
})

/** A message that is not a record: a control frame to skip, or a reason to reject. */
export type NoRecord = { skip: string } | { reject: string }

export type JsonObject = { [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const QUOTED_MAX = 80

/** Quotes a value of a capture in a reason, cut to a recognisable length. */
export const quoted = (text: string): string => `"${text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text}"`
