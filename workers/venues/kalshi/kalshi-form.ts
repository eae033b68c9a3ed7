// Converts Kalshi messages to the present form of its WebSocket (docs.kalshi.com/asyncapi.yaml): prices in `_dollars`,
// sizes in `_fp`. Other forms are books and trades of the REST API, the socket's form in cents until 2026-03-12, and
// the flat form of older archives.

import { type RecordKind, SIDE_WORDS, takerSide } from '../../../storage/format/shape.ts'
import { textMicros } from '../../bytes/decimal-micros.ts'
import type { JsonObject } from '../described-message.ts'
import { isJsonObject, textOf } from '../exact-json.ts'
import type { StoredForm } from '../meaning.ts'
import { printed } from '../printed-amounts.ts'
import {
  CHANGE_PRICE_KEYS,
  CHANGE_SIZE_KEYS,
  firstKey,
  SIDES,
  sideKeys,
  TAKER_KEYS,
  TRADE_PRICE_KEYS,
  TRADE_SIZE_KEYS,
} from './kalshi-keys.ts'
import { kalshiTimes } from './kalshi-times.ts'

/** The minimum number of decimals of a price, and of a size. */
export const [KALSHI_PRICE, KALSHI_SIZE] = [4, 2]

/** A converted message. `isWhole`: it includes its envelope, not only the part under `msg`. */
export type KalshiForm = { message: JsonObject; isWhole: boolean }

type BookKind = 'snapshot' | 'delta' | 'trade'
type SourceMessage = { kind: BookKind; msg: JsonObject; isYesScale: boolean }

/** Keys that are not copied unchanged, because their values may have another name or another unit in the present
 *  form. */
const KEYS: Record<BookKind, readonly string[]> = {
  delta: ['price', 'delta', 'price_dollars', 'delta_fp', 'side'],
  snapshot: SIDES.flatMap((side) => [side, `${side}_dollars`, `${side}_dollars_fp`]),
  trade: ['yes_price', 'no_price', 'count', 'price', 'size'],
}

/** Returns the converted message. Returns undefined if the message has the present form already, and null if it cannot
 *  have that form. In the result, NO prices are never on the YES scale. */
export function kalshiForm(stored: StoredForm, ticker: string, body: JsonObject): KalshiForm | null | undefined {
  const { kind, envelopeType, isYesScale } = stored
  if (kind === 'gap') return undefined
  const converted = (msg: JsonObject, others: JsonObject) =>
    isBookKind(kind) ? today({ kind, msg, isYesScale }, ticker, others) : null
  if (envelopeType !== null) {
    if (!isBookKind(kind) || isOfToday({ kind, msg: body, isYesScale })) return undefined
    return partOf(converted(body, isOfSocket(body) ? without(body, KEYS[kind]) : {}))
  }
  const { type, ticker: _, msg, ...rest } = body
  if (!isJsonObject(msg) || !isOfSocket(msg)) {
    const values = isJsonObject(msg) ? msg : rest
    if (isBookKind(kind)) return partOf(converted(values, {}))
    return whole({ type, sid: 0, msg: { market_ticker: ticker, ...values } })
  }
  const counted = { sid: 0, ...(isBookKind(kind) ? { seq: 0 } : {}), ...body }
  if (!isBookKind(kind) || isOfToday({ kind, msg, isYesScale })) {
    return Object.keys(counted).length === Object.keys(body).length ? undefined : whole(counted)
  }
  const message = converted(msg, without(msg, KEYS[kind]))
  return message && whole({ ...counted, msg: message })
}

const partOf = (message: JsonObject | null): KalshiForm | null => message && { message, isWhole: false }
const whole = (message: JsonObject): KalshiForm => ({ message, isWhole: true })

const isBookKind = (kind: RecordKind): kind is BookKind => kind === 'snapshot' || kind === 'delta' || kind === 'trade'
const isOfSocket = (msg: JsonObject) => typeof msg['market_ticker'] === 'string'

function isOfToday({ kind, msg, isYesScale }: SourceMessage): boolean {
  if (!isOfSocket(msg) || (isYesScale && kind !== 'trade')) return false
  const isText = (key: string) => typeof msg[key] === 'string'
  if (kind === 'delta') return isText('price_dollars') && isText('delta_fp')
  if (kind === 'trade') return isText('yes_price_dollars') && isText('count_fp')
  return SIDES.every((side) => [undefined, `${side}_dollars_fp`].includes(levelsKey(msg, side)))
}

/** Returns the message in the present form. `others` are values to include unchanged. Returns null if a required value
 *  is missing. */
function today({ kind, msg, isYesScale }: SourceMessage, ticker: string, others: JsonObject): JsonObject | null {
  if (kind === 'snapshot') return { ...named(ticker, msg), ...others, ...levelsOf(msg, isYesScale) }
  const values = kind === 'delta' ? changeOf(msg, isYesScale) : tradeOf(msg)
  if (values === null) return null
  const names = kind === 'delta' ? named(ticker, msg) : { market_ticker: ticker }
  return { ...names, ...others, ...values, ...kalshiTimes(kind, msg) }
}

/** Returns the fields that name the market. If no `market_id` is stored, uses the ticker, because clients treat a
 *  market without a `market_id` as nonexistent. */
const named = (ticker: string, { market_id: id }: JsonObject) => ({
  market_ticker: ticker,
  market_id: typeof id === 'string' && id !== '' ? id : ticker,
})

function changeOf(msg: JsonObject, isYesScale: boolean): JsonObject | null {
  const priceKey = firstKey(msg, CHANGE_PRICE_KEYS)
  const word = String(msg['side'])
  const meaning = Object.hasOwn(SIDE_WORDS, word) ? SIDE_WORDS[word] : undefined
  if (priceKey === undefined || meaning === undefined) return null
  const isFlipped = (meaning.side === 'ask') !== (meaning.isComplement && !isYesScale)
  const price = printed(msg[priceKey], KALSHI_PRICE, { mayBeCents: priceKey === 'price', isFlipped })
  const size = printed(msg[firstKey(msg, CHANGE_SIZE_KEYS) ?? ''], KALSHI_SIZE)
  if (price === undefined || size === undefined) return null
  return { price_dollars: price, delta_fp: size, side: meaning.side === 'bid' ? 'yes' : 'no' }
}

/** Returns the levels, ascending. Leaves out an empty side. Also leaves out levels that are not numbers, because no
 *  book has them. */
function levelsOf(msg: JsonObject, isYesScale: boolean): JsonObject {
  const rest = msg['orderbook_fp'] ?? msg['orderbook']
  const of = isJsonObject(rest) ? rest : msg
  const sides = SIDES.map((side) => {
    const key = levelsKey(of, side) ?? ''
    const list = Array.isArray(of[key]) ? of[key] : []
    const levels = list.filter(Array.isArray).flatMap(([price, size]: unknown[]) => {
      const meaning = { mayBeCents: key === side, isFlipped: isYesScale && side === 'no' }
      const texts = [printed(price, KALSHI_PRICE, meaning), printed(size, KALSHI_SIZE)]
      return texts.includes(undefined) ? [] : [texts as string[]]
    })
    return [`${side}_dollars_fp`, levels.sort((a, b) => textMicros(a[0]!) - textMicros(b[0]!) || 0)] as const
  })
  return Object.fromEntries(sides.filter(([, levels]) => levels.length > 0))
}

const levelsKey = (of: JsonObject, side: 'yes' | 'no') => firstKey(of, sideKeys(side))

function tradeOf(msg: JsonObject): JsonObject | null {
  const yesKey = firstKey(msg, TRADE_PRICE_KEYS)
  const countKey = firstKey(msg, [...TRADE_SIZE_KEYS, 'contracts_traded'])
  if (yesKey === undefined || countKey === undefined) return null
  const yes = { mayBeCents: !yesKey.includes('dollars') }
  const noKey = firstKey(msg, ['no_price_dollars', 'no_price'])
  const price = printed(msg[yesKey], KALSHI_PRICE, yes)
  const count = printed(msg[countKey], KALSHI_SIZE)
  const noPrice =
    noKey === undefined
      ? printed(msg[yesKey], KALSHI_PRICE, { ...yes, isFlipped: true })
      : printed(msg[noKey], KALSHI_PRICE, { mayBeCents: noKey === 'no_price' })
  if (price === undefined || count === undefined) return null
  const id = textOf(msg['trade_id'])
  return {
    ...(id === undefined ? {} : { trade_id: id }),
    yes_price_dollars: price,
    ...(noPrice === undefined ? {} : { no_price_dollars: noPrice }),
    count_fp: count,
    ...takerOf(msg),
  }
}

function takerOf(msg: JsonObject): JsonObject {
  const key = firstKey(msg, TAKER_KEYS)
  if (key === undefined) return {}
  const side = takerSide(key === 'taker_book_side' ? 'book_side' : 'outcome', String(msg[key]))
  const more = ['taker_outcome_side', 'taker_book_side'].filter((each) => typeof msg[each] === 'string')
  return {
    taker_side: side === null ? msg[key] : side === 'buy' ? 'yes' : 'no',
    ...Object.fromEntries(more.map((each) => [each, msg[each]])),
  }
}

const without = (of: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key)))
