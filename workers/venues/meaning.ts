// Defines what the messages and the metadata of a venue mean. All code above this layer uses `Meaning`, and does not
// depend on the name of a venue.

import type { JsonObject, Metadata } from '../../storage/finding/metadata.ts'
import type { RecordKind } from '../../storage/format/shape.ts'
import type { DescribedMessage, NoRecord } from './described-message.ts'
import type { InstrumentMeaning } from './instrument-meaning.ts'
import type { MarketFacts } from './market-facts.ts'

export type Meaning = {
  /** Returns the description of a message; undefined if the message is not from the venue. */
  describe(message: JsonObject): DescribedMessage | NoRecord | undefined
  /** Returns the description of a printed record whose `msg` alone does not state everything that `describe` needs.
   *  Returns undefined if `msg` does state it. Paths start at the record. Null instead of a function if the venue's
   *  messages are all stored whole. */
  describePart: ((kind: unknown, msg: JsonObject) => DescribedMessage | NoRecord | undefined) | null
  /** Returns the key under which a frame has its messages, or why the frame is skipped. Returns undefined if the
   *  message is not such a frame. Null instead of a function if the venue sends its messages without frames. */
  frame: ((message: JsonObject) => { body: string } | NoRecord | undefined) | null
  /** Returns the start of the message in which a REST body is stored, if the body does not name its market. The message
   *  continues with `body` and ends with `}`. Returns undefined for any other body. Null instead of a function if each
   *  body names its market. */
  restHead: ((market: string, body: JsonObject) => string | undefined) | null
  /** Returns the keys of the private fields of a message or record; undefined if there are none. The venue sends these
   *  fields only to the connected account. Null instead of a function if the venue adds no such fields to public
   *  messages. */
  privateKeys: ((message: JsonObject) => ReadonlySet<string> | undefined) | null
  metadata: MetadataMeaning
  instrument: InstrumentMeaning
  /** Whether a snapshot states the time at which its book last changed. This may be long before the snapshot was
   *  sent. */
  hasOldSnapshots: boolean
  /** Whether the venue's asks are bids for NO, on one of two scales (no-prices.ts). */
  hasNoPrices: boolean
  /** Whether the venue matches a bid as soon as the bid reaches an ask. If so, a crossed book is a wrong book. */
  isMatched: boolean
  /** Whether the venue's messages have the best prices and a hash of the book (polymarket/book-hash.ts), and the venue
   *  reports each change of the tick size. */
  hasHashes: boolean
  /** The form in which the venue's socket sends messages now. Used for replays in the protocol of this socket; null
   *  if the venue has no such replays. */
  socket: SocketMeaning | null
}

/** Reads the documents of the venue's REST API. */
export type MetadataMeaning = {
  isMetadata(document: JsonObject): boolean
  /** Returns the documents of a page. Returns undefined if the value is not a page, or is itself a document. */
  page(document: JsonObject): JsonObject[] | undefined
  /** Returns why a document is rejected; undefined if it is accepted. */
  fault(document: JsonObject): string | undefined
  read(document: JsonObject): Metadata
  /** Returns the facts of a market. `event` is the document of the market's event. */
  facts(market: JsonObject, event?: JsonObject): MarketFacts
}

export type SocketMeaning = {
  /** Whether the venue sends a book as a whole message. If not, a book is the part under `msg`. */
  isBookWhole: boolean
  /** Returns a stored message in the present form. Returns undefined if the message has that form already, and null if
   *  the message cannot be converted. `isWhole`: the result is everything that the venue would send, not only the part
   *  under `msg`. */
  form(
    stored: StoredForm,
    market: string,
    message: JsonObject,
  ): { message: JsonObject; isWhole: boolean } | null | undefined
  /** Returns what the venue sends to a new subscriber for a book: the whole message, or its part under `msg` (see
   *  `isBookWhole`). */
  book(now: BookNow): Promise<object>
}

/** How a message is stored. `isYesScale`: a NO bid has the price of the matching YES ask (`use_yes_price`). */
export type StoredForm = { kind: RecordKind; envelopeType: string | null; isYesScale: boolean }

/** A book at an instant. Prices are in 1e-6 dollars, sizes in 1e-6 contracts. */
export type BookNow = {
  market: string
  book: string
  /** Ascending by price. */
  bids: [price: number, size: number][]
  /** Descending by price. */
  asks: [price: number, size: number][]
  /** Event time of the book's last change, Unix ms. */
  changedMs: number
  tickSize: number | null
  /** Returns the text under `key` in the record that last changed the book; undefined if there is none. */
  changeText(key: string): Promise<string | undefined>
  /** Returns the text under `key` in the record of the book's last trade; undefined if there is none. */
  tradeText(key: string): Promise<string | undefined>
  /** Returns whether the hash in the last change is verified as the hash of this book. */
  isVerified(): Promise<boolean>
}
