// Reads printed records (docs/records.md), a single one or a page of them. Each becomes the captured message, with
// the event time that the record states.

import { isObject, type JsonObject } from './json.ts'
import { isPublishedTrade, readKalshi, TICKER } from './kalshi-message.ts'
import type { Message, Reading } from './message.ts'
import { CONDITION_ID, readPolymarket } from './polymarket-message.ts'

/** Market of a printed gap that does not name its market. */
export const UNNAMED = ''

const TYPES = ['snapshot', 'delta', 'trade', 'tick_size', 'gap', 'other']
const WIRE_TYPES = new Map([
  ['snapshot', 'orderbook_snapshot'],
  ['delta', 'orderbook_delta'],
  ['trade', 'trade'],
])
const FROM_MS = Date.UTC(2000, 0, 1)
const TO_MS = Date.UTC(2100, 0, 1)

export function isPrinted(value: JsonObject): boolean {
  const keys = Object.keys(value)
    .filter((key) => !['market', 'source', 'use_yes_price'].includes(key))
    .sort()
    .join()
  const isKeyed =
    keys === 'msg,received_at,seq,sid,ticker,timestamp,type' || keys === 'asset_id,msg,received_at,timestamp,type'
  return (
    isKeyed && TYPES.includes(String(value['type'])) && typeof value['timestamp'] === 'number' && isObject(value['msg'])
  )
}

export const isPage = (value: JsonObject): boolean =>
  Array.isArray(value['data']) && typeof (value['market_condition_id'] ?? value['market_ticker']) === 'string'

export function readPage(page: JsonObject): Reading[] {
  const market = String(page['market_condition_id'] ?? page['market_ticker'])
  const records = page['data'] as JsonObject[]
  if (records.length === 0) return [{ skipped: '[]' }]
  return records.map((record) =>
    isObject(record) && isPrinted(record) ? readPrinted({ market, ...record }) : { rejected: 'no record' },
  )
}

export function readPrinted(record: JsonObject): Reading {
  const { timestamp, received_at: received, source = null } = record
  const isSource = typeof source === 'string' && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(source)
  if (source !== null && !isSource) return { rejected: 'no source' }
  const isTime = (value: unknown) => Number.isInteger(value) && Number(value) >= FROM_MS && Number(value) < TO_MS
  if (!isTime(timestamp) || (received !== null && !isTime(received))) return { rejected: 'no time' }
  const reading = record['type'] === 'gap' ? readGapRecord(record) : readMsg(record)
  if (!('messages' in reading)) return { rejected: 'no message' }
  const times = { givenMs: Number(timestamp), receivedAt: received === null ? null : Number(received) }
  const of = { ...times, ...(isSource && { source }), ...(record['use_yes_price'] === true && { isYesScale: true }) }
  return { messages: reading.messages.map((message) => ({ ...message, ...of })) }
}

function readGapRecord({ ticker, market, asset_id: asset, msg }: JsonObject): Reading {
  const isKalshi = typeof ticker === 'string'
  const named = isKalshi ? ticker : typeof market === 'string' ? market : UNNAMED
  if (named !== UNNAMED && !(isKalshi ? TICKER : CONDITION_ID).test(named)) return { rejected: 'no market' }
  const gap: Message = {
    venue: isKalshi ? 'kalshi' : 'polymarket',
    market: isKalshi ? named.toUpperCase() : named.toLowerCase(),
    book: isKalshi ? named.toUpperCase() : typeof asset === 'string' && asset !== '' ? asset : null,
    type: 'gap',
    receivedAt: null,
    venueNs: undefined,
    quoteNs: undefined,
    fullNs: undefined,
    givenMs: undefined,
    sid: null,
    seq: null,
    msg: msg as JsonObject,
  }
  return { messages: [gap] }
}

function readMsg({ type, ticker, sid, seq, msg }: JsonObject): Reading {
  const body = msg as JsonObject
  if (typeof ticker !== 'string') return readPolymarket(body, null)
  const wireType = WIRE_TYPES.get(String(type))
  if (type === 'trade' && isPublishedTrade(body)) return readKalshi({ type, ticker, msg: body }, null)
  const { msg: inner } = body
  const isWhole = typeof body['type'] === 'string' && isObject(inner) && typeof inner['market_ticker'] === 'string'
  if (isWhole || typeof body['market_ticker'] !== 'string' || wireType === undefined) return readKalshi(body, null)
  const counters = Object.fromEntries(Object.entries({ sid, seq }).filter(([, value]) => typeof value === 'number'))
  return readKalshi({ type: wireType, ...(counters as JsonObject), msg: body }, null)
}
