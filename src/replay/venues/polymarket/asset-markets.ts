// Finds the Polymarket market of an outcome token, because the venue's protocol names only tokens. Searches the stored
// days of markets, first those of the replay's dates, and caches what it finds.

import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../../../../storage/catalogue.ts'
import { DAY_MS, utcDate } from '../../../../storage/units.ts'

/** Maximum number of cached tokens, and of markets that are searched for a token. */
const [CACHED_MAX, MARKETS_MAX] = [200_000, 100_000]
/** Limits a cache by size, because `max` would allocate all of it at once. */
const BOUND = { maxSize: CACHED_MAX, sizeCalculation: () => 1 }
const DATES_MAX = 7
const PAGE = 1_000
/** Yields to the event loop after this many markets. */
const TURN = 64

type Found = Pick<Catalogue, 'busiest' | 'markets' | 'market' | 'head' | 'marketsStamp'>

export class AssetMarkets {
  readonly #catalogue: Found
  readonly #marketOf = new LRUCache<string, string>(BOUND)
  /** Market days whose tokens are cached: a market and a date. If the last date of a market was searched, the stamp
   *  of the list of markets is in place of the date. */
  readonly #seen = new LRUCache<string, true>(BOUND)
  #looking: Promise<unknown> = Promise.resolve()

  constructor(catalogue: Found) {
    this.#catalogue = catalogue
  }

  /** Returns the market of each token. Leaves out tokens without stored records. */
  marketsOf(assets: readonly string[], window: { fromMs: number; toMs: number }): Promise<Map<string, string>> {
    // Runs one search at a time, because simultaneous searches would read the same markets.
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
      await this.#search(active.map(({ market }) => ({ market, date })))
      if (takeKnown()) return found
    }
    const stamp = await this.#catalogue.marketsStamp()
    for (let offset = 0; offset < MARKETS_MAX; offset += PAGE) {
      const { markets } = await this.#catalogue.markets('polymarket', { prefix: '', offset, limit: PAGE })
      await this.#search(
        markets.map((market) => ({ market, date: null })),
        stamp,
      )
      if (takeKnown() || markets.length < PAGE) break
    }
    return found
  }

  /** Caches the tokens of these market days. A null date means the market's last date. */
  async #search(days: { market: string; date: string | null }[], stamp = ''): Promise<void> {
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
