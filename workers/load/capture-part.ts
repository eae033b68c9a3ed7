// A part of a capture: the messages of as many markets as are placed at once. Those of others wait in a file.

import { closeSync } from 'node:fs'
import type { Venue } from '../../storage/venue.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import type { CapturePlacer } from './capture-placer.ts'
import { type MarketBundle, PostponedMarkets } from './market-spill.ts'
import type { CollectedMarket } from './record-router.ts'

/** Beyond these, blocks would be closed after a few records each to stay within the memory that there is: that costs
 *  more than reading messages twice. */
export const MARKETS_AT_ONCE = 2_048

export class CapturePart implements MessageSink {
  readonly #placer: CapturePlacer
  readonly #folder: string
  readonly #marketsAtOnce: number
  #marketCount = 0
  #later: PostponedMarkets | undefined
  #collected: CollectedMarket[] | undefined
  /** Temporary files, open. */
  #files: number[] = []

  /** `folder` is the data folder. */
  constructor(placer: CapturePlacer, folder: string, marketsAtOnce: number) {
    this.#placer = placer
    this.#folder = folder
    this.#marketsAtOnce = marketsAtOnce
  }

  addMarket(venue: Venue, market: string): void {
    if (this.#marketCount++ < this.#marketsAtOnce) return this.#placer.addMarket(venue, market)
    this.#later ??= new PostponedMarkets(this.#folder)
    this.#later.addMarket(venue, market)
  }

  place(market: number, message: CaptureMessage): void {
    if (market < this.#marketsAtOnce) this.#placer.place(market, message)
    else this.#later!.place(market - this.#marketsAtOnce, message)
  }

  /** Undefined where more can be placed now. Rejects when placing has failed. */
  room(): Promise<void> | undefined {
    return this.#placer.room()
  }

  /** Nothing follows: what had no room, and the open file that it lies in, for the caller to close. */
  postponed(): { bundles: MarketBundle[]; file: number | undefined } {
    return { bundles: this.#later?.bundles() ?? [], file: this.#later?.releaseFile() }
  }

  /** Nothing follows: brings together what was placed. */
  async collect(): Promise<void> {
    const { markets, files } = await this.#placer.collect()
    this.#collected = markets
    this.#files = files
  }

  /** What was collected. */
  get collected(): CollectedMarket[] {
    return this.#collected!
  }

  /** To be called however its load ended. */
  close(): void {
    if (this.#collected === undefined) this.#placer.abandon()
    for (const file of [...this.#files, this.#later?.releaseFile()]) if (file !== undefined) closeSync(file)
    this.#files = []
  }
}
