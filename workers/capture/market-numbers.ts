// Numbers the markets of a capture, once for each source. Finds the market of a message without creating a string.

import { byVenue, IDENTITIES, type Venue } from '../../storage/venue.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'
import type { MessageSink } from './capture-message.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'

export const NO_MARKET = -1
/** Number that stands for all markets that are not chosen. */
export const OTHER_MARKET = -2

/** Keeps a byte order mark, because it is part of the value. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** Spellings of markets in messages, numbered, and the market of each spelling. */
type Spellings = { texts: TextTableBuilder; markets: number[] }
type SourceMarkets = { source: string | undefined; of: Record<Venue, Spellings> }

export class MarketNumbers {
  readonly #sink: Pick<MessageSink, 'addMarket'>
  readonly #chosen: ReadonlySet<string> | null
  #current = newSource(undefined)
  readonly #sources = [this.#current]
  #marketCount = 0

  /** Reports each new market to the sink. `chosen` has the markets to number; null for all. */
  constructor(sink: Pick<MessageSink, 'addMarket'>, chosen: ReadonlySet<string> | null = null) {
    this.#sink = sink
    this.#chosen = chosen
  }

  /** Returns the number of a message's market; NO_MARKET if its name is not valid for the venue, OTHER_MARKET if it is
   *  not chosen. */
  at({ venue, market, shape }: MessageForm, bytes: Uint8Array, { starts, ends, texts }: MatchedMessage): number {
    if (shape.source !== this.#current.source) this.#current = this.#ofSource(shape.source)
    return this.#marketOfSpelling(venue, bytes, starts[market]!, ends[market]!, texts[market]!)
  }

  #ofSource(source: string | undefined): SourceMarkets {
    const known = this.#sources.find((each) => each.source === source)
    if (known !== undefined) return known
    const added = newSource(source)
    this.#sources.push(added)
    return added
  }

  /** Returns the market of a spelling. `text` has the same meaning as in `TextTableBuilder`. */
  #marketOfSpelling(venue: Venue, bytes: Uint8Array, start: number, end: number, text = 0): number {
    const { texts, markets } = this.#current.of[venue]
    const spelling = texts.indexOf(bytes, start, end, text)
    if (spelling === markets.length) {
      // Reserve this entry first: `#newSpelling` may also add the usual spelling, which takes the next entry.
      markets.push(NO_MARKET)
      markets[spelling] = this.#newSpelling(venue, bytes.subarray(start, end))
    }
    return markets[spelling]!
  }

  #newSpelling(venue: Venue, spelling: Uint8Array): number {
    const printed = decoder.decode(spelling)
    const { isMarket, canonical } = IDENTITIES[venue]
    if (!isMarket(printed)) return NO_MARKET
    const market = canonical(printed)
    if (market !== printed) {
      const usual = encoder.encode(market)
      return this.#marketOfSpelling(venue, usual, 0, usual.length)
    }
    if (this.#chosen?.has(market) === false) return OTHER_MARKET
    this.#sink.addMarket(venue, market, this.#current.source)
    return this.#marketCount++
  }
}

const newSpellings = (): Spellings => ({ texts: new TextTableBuilder(), markets: [] })

const newSource = (source: string | undefined): SourceMarkets => ({
  source,
  of: byVenue(newSpellings),
})
