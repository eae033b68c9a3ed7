// What the user's own recording has of the markets of an import.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { Venue } from '../../storage/venue.ts'
import { type OwnKind, type OwnTimes, ownTimes, type TimeRange } from './own-times.ts'

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
    return times !== undefined && isWithin(times, timeMs)
  }

  /** Other markets follow. */
  forget(): void {
    this.#markets.clear()
  }
}

/** Ranges ascend and do not touch: the first that ends at the time or behind it is the only one that may hold it. */
function isWithin(times: readonly TimeRange[], timeMs: number): boolean {
  let low = 0
  for (let high = times.length; low < high; ) {
    const middle = (low + high) >>> 1
    if (times[middle]!.toMs < timeMs) low = middle + 1
    else high = middle
  }
  return low < times.length && times[low]!.fromMs <= timeMs
}
