// What a venue says of one form of its messages: which record it is, and where in it the values stand that we
// understand. Places are paths: `msg.price_dollars`, `bids[].price`, `msg.yes_dollars_fp[][0]`.

import type { RecordKind, TakerMeaning } from '../../storage/format/shape.ts'
import type { Venue } from '../../storage/venue.ts'

/** `mayBeCents`: a value printed without a point is in cents. */
export type AmountPath = { path: string; mayBeCents: boolean }

export type DescribedMessage = {
  venue: Venue
  kind: RecordKind
  /** The part that becomes the record's `msg`; '' is the whole message. */
  msg: string
  /** The message's `type` where only its `msg` part is kept; else null. */
  envelopeType: string | null
  market: string
  /** One book for the message, or one for each element of a list; null where the message is of the whole market. */
  book: { path: string; list: string | null } | null
  sid: string | null
  seq: string | null
  /** The venue's time, and the one of full resolution where there are two; null where the message has none. */
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
  /** Of a record as it is printed: `eventTime` is the event time that it has, `received` its `received_at`, and
   *  `source` the archive that it is from, undefined for the user's own. */
  printed: { received: string | null; source: string | undefined } | null
  /** A value of it decided what it is kept as: messages that look like it need not be its like. */
  isSingular: boolean
  /** What is to be reported of it, as of `LineSink.note`. */
  note?: string
}

type Named = Pick<DescribedMessage, 'venue' | 'kind' | 'msg' | 'envelopeType' | 'market' | 'book'>

/** A message of which nothing else is understood. */
export const emptyDescription = (named: Named): DescribedMessage => ({
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
  isSingular: false,
})

/** Not a record: a control frame to skip, or a reason to reject. */
export type NoRecord = { skip: string } | { reject: string }

export type JsonObject = { [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const QUOTED_MAX = 80

/** A value of a capture within a reason: as much of it as says which it is. */
export const quoted = (text: string): string => `"${text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text}"`
