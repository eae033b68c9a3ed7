// A shape is what messages of one form have in common: the JSON text around their values, and what the values mean.
// Taken apart by its shape, a message is a row of values; put together again, it is what the venue sent.

/** What a record is, the same words for both venues. The order is part of the stored format. */
export const RECORD_KINDS = ['snapshot', 'delta', 'trade', 'tick_size', 'gap', 'other'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Text, the place of a value, or a list of any length whose elements look alike. */
export type Part = string | { slot: number } | { list: number; element: Part[] }

/** A place for a value. `list` is -1 for one value a record, else the list whose elements each have one. */
export type Slot = { list: number; isQuoted: boolean }

/** Where a price or size comes from. `mayBeCents`: a value printed without a point is in cents, so "48" is 0.48. */
export type Amount = { slot: number; mayBeCents: boolean }

/** How a delta changes its book. `list` is -1 where the record itself is the one change. */
export type ChangesMeaning = {
  list: number
  price: Amount
  size: Amount
  side: number
  /** Signed sizes are added to the level (Kalshi), absolute ones replace it (Polymarket). */
  isSigned: boolean
  /** Whether Kalshi's prices of NO are on the scale of YES (`use_yes_price`): the price of a NO bid is that of the ask. */
  isYesScale?: true
}

/** One side of a snapshot. On a complement side the price p of a NO bid stands for a YES ask at 1 - p. */
export type LevelsMeaning = { list: number; side: 'bid' | 'ask'; price: Amount; size: Amount; isComplement: boolean }

/** What the words of a taker's side say: what the taker did (BUY, SELL), what was bought (yes, no), or on which side of
 *  the book the taker's order was (bid, ask). */
export const TAKER_WORDS = {
  action: { BUY: 'buy', SELL: 'sell', buy: 'buy', sell: 'sell' },
  outcome: { yes: 'buy', no: 'sell' },
  book_side: { bid: 'buy', ask: 'sell' },
} as const satisfies Record<string, Record<string, 'buy' | 'sell'>>
export type TakerMeaning = keyof typeof TAKER_WORDS

/** Null for a word that says neither. */
export function takerSide(meaning: TakerMeaning, word: string): 'buy' | 'sell' | null {
  const words: Record<string, 'buy' | 'sell'> = TAKER_WORDS[meaning]
  return Object.hasOwn(words, word) ? words[word]! : null
}

/** What a trade says: price in dollars of its book (on Kalshi of YES), contracts, who took, and the venue's id. `side`
 *  and `id` are slots, -1 where the message has none. */
export type TradeMeaning = { price: Amount; size: Amount; side: number; sideMeaning: TakerMeaning; id: number }

export type Shape = {
  kind: RecordKind
  /** The venue's `type` where the record's `msg` is only the part that the venue sends under `msg`; else null. */
  envelopeType: string | null
  parts: Part[]
  slots: Slot[]
  listCount: number
  /** Which envelope values the rows have besides those of the message. */
  hasReceivedMs: boolean
  hasSid: boolean
  hasSeq: boolean
  /** Slot of the venue's time in its full resolution; -1 where it gives none. */
  timeSlot: number
  changes: ChangesMeaning | null
  levels: LevelsMeaning[]
  /** Venue's own best prices after the message, one pair an entry; null where it gives none. */
  best: { bid: Amount; ask: Amount } | null
  /** Null where the record is no trade, or does not print price and size. */
  trade: TradeMeaning | null
  /** The archive that the records are from; left out for what the user recorded. It is printed beside the message, and
   *  records that differ in it alone are the same. */
  source?: string
  /** Of gaps that another recorder covers: they are printed like others, and end no book. */
  isCovered?: true
  /** Of own records while a date shows an archive: they are printed like others, and change no book. */
  isAside?: true
}

/** What a record does to the book that is shown: nothing, where another recorder covers its gap, or where it stands
 *  beside an archive. */
export const effectOf = ({ kind, isCovered, isAside }: Shape): RecordKind =>
  isCovered === true || isAside === true ? 'other' : kind

/** What the user's own recordings are called where a source is named. */
export const OWN_SOURCE = 'own'

/** What an archive may be called. */
export const SOURCE_NAME = /^(?!own$)[a-z0-9][a-z0-9.-]{0,63}$/

/** Words of a `side` value, and what they say. Kalshi's `no` is an ask at 1 - p. */
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

/** Prices, sizes and sides are read without the event time, so they are stored without it. */
export function followsTime(shape: Shape, slot: number): boolean {
  if (shape.slots[slot]!.list >= 0) return false
  const { changes, best, trade } = shape
  const ofChanges = [changes?.price.slot, changes?.size.slot, changes?.side, best?.bid.slot, best?.ask.slot]
  const ofTrade = [trade?.price.slot, trade?.size.slot, trade?.side, trade?.id]
  return !ofChanges.includes(slot) && !ofTrade.includes(slot)
}
