// What the messages and the metadata of a venue mean. All code above this layer uses `Meaning`, and knows no venue by
// its name.

import type { JsonObject, Metadata } from '../../storage/finding/metadata.ts'
import type { RecordKind } from '../../storage/format/shape.ts'
import type { DescribedMessage, NoRecord } from './described-message.ts'
import type { InstrumentMeaning } from './instrument-meaning.ts'
import type { MarketFacts } from './market-facts.ts'

export type Meaning = {
  /** Returns the description of a message; undefined if it is not one of the venue's. */
  describe(message: JsonObject): DescribedMessage | NoRecord | undefined
  /** Returns the description of a printed record whose `msg` alone does not state what `describe` needs; undefined if
   *  it does. Paths start at the record. Null instead of a function if the venue's messages are all stored whole. */
  describePart: ((kind: unknown, msg: JsonObject) => DescribedMessage | NoRecord | undefined) | null
  /** Returns the key under which a frame has its messages, or why it is skipped; undefined if it is not such a frame.
   *  Null if the venue sends its messages without frames. */
  frame: ((message: JsonObject) => { body: string } | NoRecord | undefined) | null
  /** Returns the message in which a REST body that does not name its market is stored, up to `body`; `}` ends the
   *  message. Returns undefined for any other body. Null instead of a function if each body names its market. */
  restHead: ((market: string, body: JsonObject) => string | undefined) | null
  /** Returns the private fields of a message or a record: the venue sends them only to the account that receives it.
   *  Undefined if it has none. Null if the venue adds no such fields to public messages. */
  privateKeys: ((message: JsonObject) => ReadonlySet<string> | undefined) | null
  metadata: MetadataMeaning
  instrument: InstrumentMeaning
  /** Whether a snapshot states when its book last changed, which may be long before it was sent. */
  hasOldSnapshots: boolean
  /** Whether the venue's asks are bids for NO, on one of two scales (no-prices.ts). */
  hasNoPrices: boolean
  /** Whether the venue matches a bid at once when it reaches an ask, so that a crossed book is a wrong book. */
  isMatched: boolean
  /** Whether the venue's messages have the best prices and a hash of the book (polymarket/book-hash.ts), and state each
   *  change of the tick size. */
  hasHashes: boolean
  /** The present form of the venue's socket, for replays in its protocol; null if there are no such replays. */
  socket: SocketMeaning | null
}

/** What a document of the venue's REST API says. */
export type MetadataMeaning = {
  isMetadata(document: JsonObject): boolean
  /** Returns the documents of a page; undefined if it is not a page, or is a document itself. */
  page(document: JsonObject): JsonObject[] | undefined
  /** Returns why a document is rejected; undefined if it is not. */
  fault(document: JsonObject): string | undefined
  read(document: JsonObject): Metadata
  /** Returns the facts of a market. `event` is the document of its event. */
  facts(market: JsonObject, event?: JsonObject): MarketFacts
}

export type SocketMeaning = {
  /** Whether a book is a whole message; otherwise the part under `msg`. */
  isBookWhole: boolean
  /** Returns a stored message in the present form; undefined if it has that form, null if it cannot have it. `isWhole`:
   *  it is everything that the venue would send, not only the part under `msg`. */
  form(
    stored: StoredForm,
    market: string,
    message: JsonObject,
  ): { message: JsonObject; isWhole: boolean } | null | undefined
  /** Returns the message, or its part, that the venue sends with a book to a new subscriber. */
  book(now: BookNow): Promise<object>
}

/** How a message is stored. `isYesScale`: the price of a NO bid is printed as that of the YES ask (`use_yes_price`). */
export type StoredForm = { kind: RecordKind; envelopeType: string | null; isYesScale: boolean }

/** A book at an instant. Prices and sizes are in 1e-6. */
export type BookNow = {
  market: string
  book: string
  /** Ascending by price. */
  bids: [price: number, size: number][]
  /** Descending by price. */
  asks: [price: number, size: number][]
  /** Event time of its last change, Unix ms. */
  changedMs: number
  tickSize: number | null
  /** Returns a text of the record that last changed the book. */
  changeText(key: string): Promise<string | undefined>
  /** Returns a text of its last trade. */
  tradeText(key: string): Promise<string | undefined>
  /** Returns whether the hash of the last change is verified as that of this book. */
  isVerified(): Promise<boolean>
}
