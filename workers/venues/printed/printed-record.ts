// Describes a record as raw endpoints and `export` print it: `{type, timestamp, received_at, asset_id | ticker, sid,
// seq, source, msg}`. Its `timestamp` becomes the event time, unchanged. Its `msg` is the venue's whole message, or
// the part of it that was under `msg`.

import { RECORD_KINDS, type RecordKind } from '../../../storage/format/shape.ts'
import { IDENTITIES, VENUES, type Venue } from '../../../storage/venue.ts'
import { MEANINGS } from '../../venues.ts'
import {
  type DescribedMessage,
  emptyDescription,
  isObject,
  type JsonObject,
  type NoRecord,
  quoted,
} from '../described-message.ts'
import { YES_SCALE_KEY } from '../no-prices.ts'
import { printedSource, SOURCE_KEY } from './printed-source.ts'

/** Keys that the records of all venues have. The key of the book differs by venue, so it shows which venue a record
 *  is from. */
const KEYS = ['type', 'timestamp', 'received_at', 'msg']
/** Key of the market. A gap record of a venue with tokens may lack this key. Then other records name the market. */
const MARKET_KEY = 'market'
/** Keys that may be absent. A replay of records adds venue and market to each record. */
const OPTIONAL: ReadonlySet<string> = new Set(['venue', MARKET_KEY, SOURCE_KEY, YES_SCALE_KEY])

const encoder = new TextEncoder()

const TIME_MIN_MS = Date.UTC(2000, 0, 1)
const TIME_MAX_MS = Date.UTC(2100, 0, 1)

export function isPrintedRecord(value: JsonObject): boolean {
  const { type, timestamp, msg } = value
  if (!RECORD_KINDS.includes(type as RecordKind) || typeof timestamp !== 'number' || !isObject(msg)) return false
  const venue = venueOf(value)
  if (venue === undefined) return false
  const { bookField, hasSequence } = IDENTITIES[venue]
  const keys = [...KEYS, bookField, ...(hasSequence ? ['sid', 'seq'] : [])]
  return keys.every((key) => key in value) && Object.keys(value).every((key) => keys.includes(key) || OPTIONAL.has(key))
}

const venueOf = (value: JsonObject): Venue | undefined => VENUES.find((venue) => IDENTITIES[venue].bookField in value)

/** Returns whether a printed record is a gap that does not name its market. */
export const lacksMarket = (value: JsonObject): boolean =>
  value['type'] === 'gap' && IDENTITIES[venueOf(value)!].hasAssets && !(MARKET_KEY in value)

/** Adds a market to a record that names none (see `lacksMarket`). The record is a text `{…}`. Returns the new text. */
export function withMarket(record: Uint8Array, market: string): Uint8Array {
  const named = encoder.encode(`{${JSON.stringify(MARKET_KEY)}:${JSON.stringify(market)},`)
  return new Uint8Array(Buffer.concat([named, record.subarray(1)]))
}

/** Returns the description of a printed record. `captured` is the archive of the whole capture; undefined for a capture
 *  of the user's own records. */
export function describeRecord(value: JsonObject, captured: string | undefined): DescribedMessage | NoRecord {
  const { timestamp, received_at: received } = value
  if (!isTime(timestamp)) return { reject: `timestamp must be a time in Unix ms, got ${quoted(String(timestamp))}` }
  if (received !== null && !isTime(received)) {
    return { reject: `received_at must be a time in Unix ms, got ${quoted(String(received))}` }
  }
  const of = printedSource(value, captured)
  if ('reject' in of) return of
  const described = value['type'] === 'gap' ? describeGapRecord(value) : describeMsg(value)
  if (!('venue' in described)) return described
  const isYesScale = value[YES_SCALE_KEY] === true
  const printed = { received: received === null ? null : 'received_at', source: of.source, isYesScale }
  return { ...described, eventTime: 'timestamp', printed }
}

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= TIME_MIN_MS && Number(value) < TIME_MAX_MS

function describeGapRecord(value: JsonObject): DescribedMessage | NoRecord {
  const venue = venueOf(value)!
  const { bookField, hasAssets } = IDENTITIES[venue]
  const book = !hasAssets || typeof value[bookField] === 'string' ? { path: bookField, list: null } : null
  const market = hasAssets ? MARKET_KEY : bookField
  if (typeof value[market] !== 'string') return { reject: `a gap record names no ${market}` }
  return emptyDescription({
    ...{ venue, kind: 'gap', msg: 'msg', envelopeType: 'gap', market },
    book,
  })
}

function describeMsg(value: JsonObject): DescribedMessage | NoRecord {
  const msg = value['msg'] as JsonObject
  const { describe, describePart } = MEANINGS[venueOf(value)!]
  const part = describePart?.(value['type'], msg)
  if (part !== undefined) return part
  const whole = describe(msg)
  if (whole !== undefined && 'skip' in whole && whole.skip.startsWith('private ')) return whole
  if (whole === undefined || 'skip' in whole) return { reject: 'the msg of the record is not a message of its venue' }
  return 'reject' in whole ? whole : underMsg(whole)
}

/** Returns the description with its paths under the key `msg`, where a printed record has the message. */
function underMsg(message: DescribedMessage): DescribedMessage {
  const under = (path: string) => (path === '' ? 'msg' : `msg.${path}`)
  const orNull = (path: string | null) => (path === null ? null : under(path))
  const amount = <T extends { path: string }>(from: T): T => ({ ...from, path: under(from.path) })
  const { book, changes, best, trade } = message
  return {
    ...message,
    msg: under(message.msg),
    market: under(message.market),
    book: book && { path: under(book.path), list: orNull(book.list) },
    sid: orNull(message.sid),
    seq: orNull(message.seq),
    quoteTime: orNull(message.quoteTime),
    changes: changes && {
      ...changes,
      list: orNull(changes.list),
      price: amount(changes.price),
      size: amount(changes.size),
      side: under(changes.side),
    },
    levels: message.levels.map((side) => ({
      ...side,
      list: under(side.list),
      price: amount(side.price),
      size: amount(side.size),
    })),
    best: best && { bid: under(best.bid), ask: under(best.ask) },
    trade: trade && {
      ...trade,
      price: amount(trade.price),
      size: amount(trade.size),
      side: orNull(trade.side),
      id: orNull(trade.id),
    },
  }
}
