// Where the messages of one capture are placed: in the thread that reads it, or in others beside it.

import { closeSync } from 'node:fs'
import type { Venue } from '../../storage/venue.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import { type CollectedMarket, type PlacerOptions, RecordPlacer } from './record-router.ts'

export type CollectedCapture = {
  /** In the order in which they appeared. */
  markets: CollectedMarket[]
  /** Temporary files that blocks may lie in, for the caller to close. */
  files: number[]
}

export interface CapturePlacer extends MessageSink {
  /** Undefined where more can be placed now. Rejects when placing has failed. */
  room(): Promise<void> | undefined
  /** Nothing follows. All rejects have been told when it resolves. */
  collect(): Promise<CollectedCapture>
  /** Lets go of what will not be collected. */
  abandon(): void
}

/** Places messages as they come. */
export class LocalPlacer implements CapturePlacer {
  readonly #placer: RecordPlacer

  constructor(options: Omit<PlacerOptions, 'placers'>) {
    this.#placer = new RecordPlacer({ ...options, placers: 1 })
  }

  addMarket(venue: Venue, market: string): void {
    this.#placer.addMarket(venue, market)
  }

  place(market: number, message: CaptureMessage): void {
    this.#placer.place(market, message)
  }

  room(): undefined {
    return undefined
  }

  async collect(): Promise<CollectedCapture> {
    const markets = this.#placer.collect()
    const file = this.#placer.releaseFile()
    return { markets, files: file === undefined ? [] : [file] }
  }

  abandon(): void {
    const file = this.#placer.releaseFile()
    if (file !== undefined) closeSync(file)
  }
}
