// A shape is what messages of one form have in common: the JSON text around their values, and the meaning of the
// values. A shape takes a message apart into a row of values, and puts them together again into what the venue sent.

/** The kinds of records, with the same names for both venues. Their order is part of the stored format. */
export const RECORD_KINDS = ['snapshot', 'delta', 'trade', 'tick_size', 'gap', 'other'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** A part of a message: text, the place of a value, or a list of any length whose elements have the same form. */
export type Part = string | { slot: number } | { list: number; element: Part[] }

/** A place for a value. `list` is -1 for one value per record; otherwise each element of that list has one value. */
export type Slot = { list: number; isQuoted: boolean }

/** The slot that a price or size comes from. `mayBeCents`: a value without a decimal point is in cents, so "48" is
 *  0.48. */
export type Amount = { slot: number; mayBeCents: boolean }

/** How a delta changes its book. `list` is -1 if the record itself is the only change. */
export type ChangesMeaning = {
  list: number
  price: Amount
  size: Amount
  side: number
  /** Signed sizes are added to the level (Kalshi); absolute ones replace it (Polymarket). */
  isSigned: boolean
  /** Set if Kalshi's prices of NO are on the scale of YES (`use_yes_price`): the price of a NO bid is then the price of
   *  the ask. */
  isYesScale?: true
}

/** One side of a snapshot. On a complement side, the price p of a NO bid stands for a YES ask at 1 - p. */
export type LevelsMeaning = { list: number; side: 'bid' | 'ask'; price: Amount; size: Amount; isComplement: boolean }

/** The words for a taker's side, by meaning: what the taker did (BUY, SELL), which outcome was bought (yes, no), or on
 *  which side of the book the taker's order was (bid, ask). */
export const TAKER_WORDS = {
  action: { BUY: 'buy', SELL: 'sell', buy: 'buy', sell: 'sell' },
  outcome: { yes: 'buy', no: 'sell' },
  book_side: { bid: 'buy', ask: 'sell' },
} as const satisfies Record<string, Record<string, 'buy' | 'sell'>>
export type TakerMeaning = keyof typeof TAKER_WORDS

/** Returns the taker's side that a word means; null for an unknown word. */
export function takerSide(meaning: TakerMeaning, word: string): 'buy' | 'sell' | null {
  const words: Record<string, 'buy' | 'sell'> = TAKER_WORDS[meaning]
  return Object.hasOwn(words, word) ? words[word]! : null
}

/** The values of a trade: price in dollars of its book (on Kalshi of YES), contracts, the taker's side, and the venue's
 *  id. `side` and `id` are slots, -1 if the message has none. */
export type TradeMeaning = { price: Amount; size: Amount; side: number; sideMeaning: TakerMeaning; id: number }

export type Shape = {
  kind: RecordKind
  /** The venue's `type`, if the record's `msg` is only the part that the venue sends under `msg`; else null. */
  envelopeType: string | null
  parts: Part[]
  slots: Slot[]
  listCount: number
  /** Whether the rows have this envelope value in addition to the values of the message. */
  hasReceivedMs: boolean
  hasSid: boolean
  hasSeq: boolean
  /** Slot of the venue's time in its full resolution; -1 if there is none. */
  timeSlot: number
  changes: ChangesMeaning | null
  levels: LevelsMeaning[]
  /** The venue's own best prices after the message, one pair per entry; null if there are none. */
  best: { bid: Amount; ask: Amount } | null
  /** Null if the record is not a trade, or does not contain a price and a size. */
  trade: TradeMeaning | null
  /** The archive that the records come from; left out for the user's own records. It is written next to the message.
   *  Records that differ only in their source are equal. */
  source?: string
  /** Set for gaps that another recorder covers. They are written out like other gaps, but do not end a book. */
  isCovered?: true
  /** Set for the user's own records while a date shows an archive. They are written out like other records, but change
   *  no book. */
  isAside?: true
}

/** Returns what a record does to the shown book. Returns 'other', which has no effect, for a gap that another
 *  recorder covers and for a record that is set aside for an archive. */
export const effectOf = ({ kind, isCovered, isAside }: Shape): RecordKind =>
  isCovered === true || isAside === true ? 'other' : kind

/** The name of the user's own recordings where sources are named. */
export const OWN_SOURCE = 'own'

/** Matches a valid name of an archive. */
export const SOURCE_NAME = /^(?!own$)[a-z0-9][a-z0-9.-]{0,63}$/

/** The words of a `side` value and their meaning. Kalshi's `no` is an ask at 1 - p. */
export const SIDE_WORDS: Record<string, { side: 'bid' | 'ask'; isComplement: boolean }> = {
  BUY: { side: 'bid', isComplement: false },
  SELL: { side: 'ask', isComplement: false },
  buy: { side: 'bid', isComplement: false },
  sell: { side: 'ask', isComplement: false },
  bid: { side: 'bid', isComplement: false },
  ask: { side: 'ask', isComplement: false },
  yes: { side: 'bid', isComplement: false },
  no: { side: 'ask', isComplement: true },
}

/** Returns whether a slot may be stored as a difference from the event time. Prices, sizes, sides and trade ids may
 *  not, because they are read without the event time. */
export function followsTime(shape: Shape, slot: number): boolean {
  if (shape.slots[slot]!.list >= 0) return false
  const { changes, best, trade } = shape
  const ofChanges = [changes?.price.slot, changes?.size.slot, changes?.side, best?.bid.slot, best?.ask.slot]
  const ofTrade = [trade?.price.slot, trade?.size.slot, trade?.side, trade?.id]
  return !ofChanges.includes(slot) && !ofTrade.includes(slot)
}
