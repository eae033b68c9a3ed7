// Receives the messages of a capture. Messages of the first markets become records immediately. Messages of the other
// markets are spilled until the first markets are committed.

import type { Venue } from '../../storage/venue.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { type MarketBundle, MarketSpill } from './market-spill.ts'
import { RecordRouter, type RouterOptions } from './record-router.ts'

/** Number of markets to collect at once. With more, blocks would be closed after a few records to stay within memory,
 *  which costs more than reading messages twice. */
export const MARKETS_AT_ONCE = 2_048

export class PartSink implements MessageSink {
  readonly #router: RecordRouter
  readonly #folder: string
  readonly #marketsAtOnce: number
  #marketCount = 0
  #spill: MarketSpill | undefined

  constructor(options: RouterOptions & { marketsAtOnce: number }) {
    this.#router = new RecordRouter(options)
    this.#folder = options.folder
    this.#marketsAtOnce = options.marketsAtOnce
  }

  addMarket(venue: Venue, market: string, source: string | undefined): void {
    if (this.#marketCount++ < this.#marketsAtOnce) return this.#router.addMarket(venue, market, source)
    this.#spill ??= new MarketSpill(this.#folder)
    this.#spill.addMarket(venue, market, source)
  }

  place(market: number, message: CaptureMessage): void {
    if (market < this.#marketsAtOnce) this.#router.place(market, message)
    else this.#spill!.place(market - this.#marketsAtOnce, message)
  }

  placeValues(market: number, message: CaptureMessage): boolean {
    return market < this.#marketsAtOnce && this.#router.placeValues(market, message)
  }

  /** Returns the bundles that did not fit, and their open file, which the caller closes. Call it after the last
   *  message. */
  spilled(): { bundles: MarketBundle[]; file: number | undefined } {
    return { bundles: this.#spill?.bundles() ?? [], file: this.#spill?.releaseFile() }
  }

  /** Throws RefusedCapture if the times of receipt are in another zone than UTC. Call it after the last message. */
  checkZone(): void {
    this.#router.zone.check()
  }

  /** Returns the days of each market. Call it after the last message. */
  collect(): CollectedPartition[][] {
    return this.#router.collect()
  }

  /** Returns the open temporary files, which the caller closes. */
  releaseFiles(): number[] {
    return [this.#router.releaseFile(), this.#spill?.releaseFile()].filter((file) => file !== undefined)
  }
}
