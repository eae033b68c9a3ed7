// Numbers the markets of a capture, each once for each source, so that finding a message's market makes no string.

import type { Venue } from '../../storage/venue.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'
import type { MessageSink } from './capture-message.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'

export const NO_MARKET = -1

const MARKET_ID: Record<Venue, RegExp> = { polymarket: /^0x[0-9a-fA-F]{64}$/, kalshi: /^[A-Za-z0-9._-]{1,128}$/ }
/** A byte order mark is part of what a value says. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** Markets as messages spell them, numbered, and the market of each spelling. */
type Spellings = { texts: TextTableBuilder; markets: number[] }
type OfSource = { source: string | undefined } & Record<Venue, Spellings>

export class MarketNumbers {
  readonly #sink: Pick<MessageSink, 'addMarket'>
  #ofLast = newSource(undefined)
  readonly #sources = [this.#ofLast]
  #marketCount = 0

  /** The sink gets each new market. */
  constructor(sink: Pick<MessageSink, 'addMarket'>) {
    this.#sink = sink
  }

  /** NO_MARKET where the message names no market that the venue could have. */
  at({ venue, market, shape }: MessageForm, bytes: Uint8Array, { starts, ends, texts }: MatchedMessage): number {
    if (shape.source !== this.#ofLast.source) this.#ofLast = this.#ofSource(shape.source)
    return this.#spelt(venue, bytes, starts[market]!, ends[market]!, texts[market]!)
  }

  #ofSource(source: string | undefined): OfSource {
    const known = this.#sources.find((each) => each.source === source)
    if (known !== undefined) return known
    const added = newSource(source)
    this.#sources.push(added)
    return added
  }

  /** `text` as of `TextTableBuilder`. */
  #spelt(venue: Venue, bytes: Uint8Array, start: number, end: number, text = 0): number {
    const { texts, markets } = this.#ofLast[venue]
    const spelling = texts.indexOf(bytes, start, end, text)
    if (spelling === markets.length) {
      // Its number is known, if it is spelt otherwise, only after a look at that spelling.
      markets.push(NO_MARKET)
      markets[spelling] = this.#newSpelling(venue, bytes.subarray(start, end))
    }
    return markets[spelling]!
  }

  #newSpelling(venue: Venue, spelling: Uint8Array): number {
    const printed = decoder.decode(spelling)
    if (!MARKET_ID[venue].test(printed)) return NO_MARKET
    const market = venue === 'kalshi' ? printed.toUpperCase() : printed.toLowerCase()
    if (market !== printed) {
      const usual = encoder.encode(market)
      return this.#spelt(venue, usual, 0, usual.length)
    }
    this.#sink.addMarket(venue, market, this.#ofLast.source)
    return this.#marketCount++
  }
}

const newSpellings = (): Spellings => ({ texts: new TextTableBuilder(), markets: [] })

const newSource = (source: string | undefined): OfSource => ({
  source,
  polymarket: newSpellings(),
  kalshi: newSpellings(),
})
