// Which market of Polymarket an outcome token is of: its protocol names tokens alone. Told by the stored days of
// markets, first those of the replay's dates. What was found is kept.

import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DAY_MS, utcDate } from '../../storage/units.ts'

/** Tokens that are remembered, and markets that are looked through for one. */
const [KEPT_MAX, MARKETS_MAX] = [200_000, 100_000]
/** Bounds a cache without the room for all of it being taken at once, as `max` does. */
const BOUND = { maxSize: KEPT_MAX, sizeCalculation: () => 1 }
const DATES_MAX = 7
const PAGE = 1_000
/** Between so many markets others get their turn. */
const TURN = 64

type Found = Pick<Catalogue, 'busiest' | 'markets' | 'market' | 'head' | 'marketsStamp'>

export class AssetMarkets {
  readonly #catalogue: Found
  readonly #marketOf = new LRUCache<string, string>(BOUND)
  /** Markets of a date, or of all dates, that were looked through. */
  readonly #seen = new LRUCache<string, true>(BOUND)
  #looking: Promise<unknown> = Promise.resolve()

  constructor(catalogue: Found) {
    this.#catalogue = catalogue
  }

  /** Without those of which nothing is stored. */
  marketsOf(assets: readonly string[], window: { fromMs: number; toMs: number }): Promise<Map<string, string>> {
    // One after the other, since the second would look through the same.
    const found = this.#looking.then(() => this.#find(assets, window))
    this.#looking = found.catch(() => undefined)
    return found
  }

  async #find(assets: readonly string[], { fromMs, toMs }: { fromMs: number; toMs: number }) {
    const found = new Map<string, string>()
    const takeKnown = () => {
      for (const asset of assets) {
        const market = this.#marketOf.get(asset)
        if (market !== undefined) found.set(asset, market)
      }
      return found.size === new Set(assets).size
    }
    if (takeKnown()) return found
    const days = Math.min(DATES_MAX, Math.floor(toMs / DAY_MS) - Math.floor(fromMs / DAY_MS) + 1)
    for (let day = 0; day < days; day++) {
      const date = utcDate(fromMs + day * DAY_MS)
      const { days: active } = await this.#catalogue.busiest('polymarket', date, { by: 'records', limit: MARKETS_MAX })
      await this.#look(active.map(({ market }) => ({ market, date })))
      if (takeKnown()) return found
    }
    const stamp = await this.#catalogue.marketsStamp()
    for (let offset = 0; offset < MARKETS_MAX; offset += PAGE) {
      const { markets } = await this.#catalogue.markets('polymarket', { prefix: '', offset, limit: PAGE })
      await this.#look(
        markets.map((market) => ({ market, date: null })),
        stamp,
      )
      if (takeKnown() || markets.length < PAGE) break
    }
    return found
  }

  /** Without a date, the last of each market. */
  async #look(days: { market: string; date: string | null }[], stamp = ''): Promise<void> {
    let count = 0
    for (const { market, date } of days) {
      const name = `${market} ${date ?? stamp}`
      if (this.#seen.has(name)) continue
      const of = date ?? (await this.#catalogue.market('polymarket', market))?.lastDate
      const head = of === undefined ? undefined : await this.#catalogue.head({ venue: 'polymarket', market, date: of })
      for (const { id } of head?.books ?? []) this.#marketOf.set(id, market)
      this.#seen.set(name, true)
      if (++count % TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
