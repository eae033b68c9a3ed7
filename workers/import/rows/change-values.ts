// Passes changes to the loader as values. Nearly all rows of an archive are changes, and it would be slow to write
// each as a message text only to parse the text again. So writes only one change of each kind as a text, to learn
// where the values are in it, and passes only the values of the others. The stored bytes are the same.

import {
  MANTISSA_DIGITS_MAX,
  PLACES_MAX,
  trimDecimal,
  trimmedDecimal,
} from '../../../storage/format/columns/decimal-text.ts'
import { MatchedMessage } from '../../capture/matched-message.ts'
import type { MessageForm } from '../../capture/message-form.ts'
import { newText } from '../../capture/repeated-values.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import { literal } from './line-text.ts'
import type { RowChange, RowPlace, RowScales } from './row-values.ts'

/** The message form of changes that have the same optional values. A slot is -1 if the form lacks the value. */
type ValuesForm = {
  form: MessageForm
  match: MatchedMessage
  market: number
  token: number
  side: number
  price: number
  size: number
  bestBid: number
  bestAsk: number
  time: number
  /** The token whose market and id are in the match; undefined before the first token. */
  of: Token | undefined
}

/** A token of the current market: its place in `#bytes`, and the number of its text (`MatchedMessage.texts`). */
type Token = { start: number; end: number; text: number }

/** Values that a row may have or lack, as bits. */
const RECEIVED = 1
const BEST_BID = 2
const BEST_ASK = 4

/** Numbers in this range have 13 digits: they are milliseconds without a leading zero. */
const MS_MIN = 1e12
const MS_END = 1e13
const MANTISSA_END = 10 ** MANTISSA_DIGITS_MAX
/** Digits only, so that a token needs no escape in JSON. */
const TOKEN = /^\d{1,100}$/
/** A market has two tokens. Changes of tokens beyond this number are sent as message texts. */
const TOKENS_MAX = 64

const SAMPLE_MS = 1_786_363_200_123
const SAMPLE_RECEIVED_MS = 1_786_363_200_456

const BUY_TEXT = newText()
const SELL_TEXT = newText()
const BUY = literal('BUY')
const SELL = literal('SELL')

export class ChangeValues {
  readonly #lines: RowReader
  readonly #scales: RowScales
  /** Returns the line with the message text of a change of the current market and token. */
  readonly #printed: (place: RowPlace, change: RowChange) => Uint8Array
  /** Forms by the bits of the optional values that a change has; null if all changes with these bits must be sent as
   *  message texts. */
  readonly #forms: (ValuesForm | null | undefined)[] = []
  /** Bytes of the texts `BUY` and `SELL`, of the current market and of its tokens. */
  #bytes = new Uint8Array(0)
  #market = ''
  #marketText = 0
  readonly #tokens = new Map<string, Token>()
  #token = ''
  /** The current token; undefined if its changes are sent as message texts. */
  #of: Token | undefined

  constructor(lines: RowReader, scales: RowScales, printed: (place: RowPlace, change: RowChange) => Uint8Array) {
    this.#lines = lines
    this.#scales = scales
    this.#printed = printed
  }

  /** Starts a market: the following changes belong to it. */
  begin(market: string): void {
    this.#market = market
    this.#marketText = newText()
    this.#bytes = new Uint8Array(Buffer.concat([BUY, SELL, literal(market)]))
    this.#tokens.clear()
    this.#token = ''
    this.#of = undefined
  }

  /** Passes the values of a change to the loader. Returns false if it cannot: the caller must then send the change as a
   *  message text. */
  take(place: RowPlace, change: RowChange): boolean {
    const { token, venueMs, receivedMs } = place
    const { side, price, size, bestBid, bestAsk } = change
    if (!(venueMs >= MS_MIN && venueMs < MS_END)) return false
    if (token !== this.#token) {
      this.#token = token
      this.#of = this.#tokens.get(token) ?? this.#newToken(token)
    }
    const form = this.#of === undefined ? null : this.#formOf(place, change)
    if (form === null) return false
    if (form.of !== this.#of) this.#setTexts(form, this.#of!)
    const { match } = form
    const isBuy = side === 'BUY'
    match.starts[form.side] = isBuy ? 0 : BUY.length
    match.ends[form.side] = isBuy ? BUY.length : BUY.length + SELL.length
    match.texts[form.side] = isBuy ? BUY_TEXT : SELL_TEXT
    match.numbers[form.time] = venueMs
    const { price: priceScale, size: sizeScale } = this.#scales
    const areShort =
      setDecimal(match, form.price, price, priceScale) &&
      setDecimal(match, form.size, size, sizeScale) &&
      (form.bestBid < 0 || setDecimal(match, form.bestBid, bestBid, priceScale)) &&
      (form.bestAsk < 0 || setDecimal(match, form.bestAsk, bestAsk, priceScale))
    return areShort && this.#lines.values(form.form, this.#bytes, match, receivedMs, place.row)
  }

  #newToken(token: string): Token | undefined {
    if (!TOKEN.test(token) || this.#tokens.size === TOKENS_MAX) return undefined
    const start = this.#bytes.length
    this.#bytes = new Uint8Array(Buffer.concat([this.#bytes, literal(token)]))
    const known = { start, end: this.#bytes.length, text: newText() }
    this.#tokens.set(token, known)
    return known
  }

  #setTexts(form: ValuesForm, of: Token): void {
    form.of = of
    const { match, market, token } = form
    match.starts[market] = BUY.length + SELL.length
    match.ends[market] = match.starts[market]! + this.#market.length
    match.texts[market] = this.#marketText
    match.starts[token] = of.start
    match.ends[token] = of.end
    match.texts[token] = of.text
    match.reset()
    for (const part of form.form.parts) {
      if (part.type !== 'list') continue
      match.openList(part.list)
      match.addElement(part.list, part.slots)
    }
  }

  #formOf({ receivedMs }: RowPlace, { bestBid, bestAsk }: RowChange): ValuesForm | null {
    const present =
      (Number.isNaN(receivedMs) ? 0 : RECEIVED) +
      (Number.isNaN(bestBid) ? 0 : BEST_BID) +
      (Number.isNaN(bestAsk) ? 0 : BEST_ASK)
    const known = this.#forms[present]
    if (known !== undefined) return known
    const learnt = this.#learn(present)
    this.#forms[present] = learnt
    return learnt
  }

  /** Learns a form from the message text of a sample change. The values of the sample all differ, so their texts show
   *  which slot holds which value. Returns null if changes of this kind must be sent as message texts. */
  #learn(present: number): ValuesForm | null {
    const { price: priceScale, size: sizeScale } = this.#scales
    if (priceScale > PLACES_MAX || sizeScale > PLACES_MAX) return null
    const received = present & RECEIVED ? SAMPLE_RECEIVED_MS : Number.NaN
    const place = { row: 0, token: this.#token, receivedMs: received, venueMs: SAMPLE_MS }
    const change: RowChange = {
      ...{ side: 'BUY', price: 1, size: 2 },
      bestBid: present & BEST_BID ? 3 : Number.NaN,
      bestAsk: present & BEST_ASK ? 4 : Number.NaN,
    }
    const found = this.#lines.formOf(this.#printed(place, change))
    if (found === undefined) return null
    const { form, texts } = found
    const decimal = (units: number, scale: number) => (units / 10 ** scale).toFixed(scale)
    const slots = {
      ...{ market: texts.indexOf(this.#market), token: texts.indexOf(this.#token), side: texts.indexOf('BUY') },
      ...{ price: texts.indexOf(decimal(1, priceScale)), size: texts.indexOf(decimal(2, sizeScale)) },
      ...{ bestBid: texts.indexOf(decimal(3, priceScale)), bestAsk: texts.indexOf(decimal(4, priceScale)) },
      time: texts.indexOf(String(SAMPLE_MS)),
    }
    const places = Object.values(slots).filter((slot) => slot >= 0)
    const isWhole = places.length === form.slots.length && new Set(places).size === places.length
    const isChange = form.market === slots.market && form.book === slots.token && form.eventTime === slots.time
    const isTimed = form.shape.timeSlot + form.firstSlot === slots.time && slots.time >= 0
    if (!isWhole || !isChange || !isTimed || form.sid >= 0 || form.seq >= 0) return null
    const match = new MatchedMessage()
    match.hasText = false
    match.fractionDigits[slots.time] = 0
    return { form, match, ...slots, of: undefined }
  }
}

/** Sets a decimal. Returns false if it has too many digits to be stored as a number. */
function setDecimal(match: MatchedMessage, slot: number, units: number, scale: number): boolean {
  if (!(units >= 0 && units < MANTISSA_END)) return false
  match.numbers[slot] = trimDecimal(units, scale)
  match.fractionDigits[slot] = trimmedDecimal.places
  return true
}
