// What the user's own recording has of the markets of an import.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { Venue } from '../../storage/venue.ts'
import { isOwnTime, type OwnKind, type OwnTimes, ownTimes } from './own-times.ts'

export class OwnRecording {
  readonly #catalogue: Pick<Catalogue, 'heads'>
  readonly #markets = new Map<string, Map<string, OwnTimes>>()

  constructor(catalogue: Pick<Catalogue, 'heads'>) {
    this.#catalogue = catalogue
  }

  /** To be called before `has` is asked of the market. */
  async prepare(venue: Venue, market: string): Promise<void> {
    if (this.#markets.has(market)) return
    this.#markets.set(market, ownTimes(await this.#catalogue.heads(venue, market)))
  }

  /** Whether it has all of the kind that there is at this moment of the book. */
  has(market: string, book: string, timeMs: number, kind: OwnKind): boolean {
    const times = this.#markets.get(market)?.get(book)?.[kind]
    return times !== undefined && isOwnTime(times, timeMs)
  }

  /** Other markets follow. */
  forget(): void {
    this.#markets.clear()
  }
}
