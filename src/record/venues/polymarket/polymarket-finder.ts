// Finds Polymarket's markets through Gamma: by the selection, by creation or closing time, and by id.

import type { JsonObject } from '../../../../workers/venues/described-message.ts'
import { timeMsOf } from '../../../../workers/venues/metadata-values.ts'
import { type Page, pagesOf } from '../../discovery/keyset-pages.ts'
import type { FinderDesk, VenueFinder } from '../../discovery/recorded-venue.ts'
import type { RestHost } from '../../rest/rest-host.ts'
import {
  type GammaMarket,
  type GammaQuery,
  gammaName,
  gammaPath,
  gammaQueries,
  isExcluded,
  isSelected,
  marketsOn,
  seriesIds,
} from './gamma-market.ts'
import type { PolymarketConfig } from './polymarket-config.ts'

/** Reads at most this many pages of the newest markets; the scan finds the rest. */
const NEWEST_PAGES_MAX = 20
/** Reads at most this many pages of closed markets; after a long pause there may be many. */
const CLOSED_PAGES_MAX = 500
/** Ids in one request; they are long. */
const IDS_AT_ONCE = 50
/** With more known markets than this, lists the last closed markets instead of requesting each known one. */
const KNOWN_BY_ID_MAX = 300

const OPEN: [string, string] = ['closed', 'false']
const CLOSED: [string, string] = ['closed', 'true']

export class PolymarketFinder implements VenueFinder {
  readonly #config: PolymarketConfig
  readonly #gamma: RestHost
  #seriesIds: ReadonlyMap<string, string> = new Map()

  constructor(config: PolymarketConfig, gamma: RestHost) {
    this.#config = config
    this.#gamma = gamma
  }

  async scan(desk: FinderDesk): Promise<Set<string>> {
    const seen = new Set<string>()
    for (const query of await this.#queries(desk)) {
      for await (const page of this.#pages(desk, query, [OPEN])) {
        for (const { market } of this.#take(desk, page, query.isRelevant)) seen.add(market)
      }
    }
    return seen
  }

  async newest(desk: FinderDesk, sinceMs: number): Promise<void> {
    const newestFirst: [string, string][] = [OPEN, ['order', 'createdAt'], ['ascending', 'false']]
    for (const query of await this.#queries(desk)) {
      const isDone = (entry: JsonObject) => isBefore(entry['createdAt'], sinceMs)
      await this.#until(desk, query, newestFirst, { isDone, pagesMax: NEWEST_PAGES_MAX })
    }
  }

  async over(desk: FinderDesk, sinceMs: number): Promise<void> {
    const { known } = desk
    if (known.size === 0) return
    if (known.size <= KNOWN_BY_ID_MAX) {
      await this.ask(
        desk,
        [...known.all()].filter(({ overMs }) => overMs === null).map(({ market }) => market),
        true,
      )
      return
    }
    const query: GammaQuery = { path: '/markets/keyset', filter: [], isRelevant: ({ market }) => !!known.get(market) }
    const lastFirst: [string, string][] = [CLOSED, ['order', 'closedTime'], ['ascending', 'false']]
    const isDone = (entry: JsonObject) => isBefore(entry['closedTime'], sinceMs)
    await this.#until(desk, query, lastFirst, { isDone, pagesMax: CLOSED_PAGES_MAX })
  }

  async ask(desk: FinderDesk, markets: readonly string[], isOver: boolean): Promise<Set<string>> {
    const { selection } = this.#config
    const answered = new Set<string>()
    for (let from = 0; from < markets.length; from += IDS_AT_ONCE) {
      const ids = markets.slice(from, from + IDS_AT_ONCE)
      const filter = ids.map((id): [string, string] => ['condition_ids', id])
      const isRelevant = (found: GammaMarket) =>
        desk.known.get(found.market) !== undefined || (ids.includes(found.market) && isSelected(selection, found))
      for await (const page of this.#pages(desk, { path: '/markets/keyset', filter }, [isOver ? CLOSED : OPEN])) {
        this.#take(desk, page, isRelevant)
        for (const { market, isDry } of marketsOn(page.entries)) if (!isDry) answered.add(market)
      }
    }
    return answered
  }

  async describeNamed(desk: FinderDesk): Promise<void> {
    const { assetIds } = this.#config
    for (let from = 0; from < assetIds.length; from += IDS_AT_ONCE) {
      const filter = assetIds.slice(from, from + IDS_AT_ONCE).map((id): [string, string] => ['clob_token_ids', id])
      for (const state of [OPEN, CLOSED]) {
        for await (const page of this.#pages(desk, { path: '/markets/keyset', filter }, [state])) {
          desk.described(marketsOn(page.entries), page)
        }
      }
    }
  }

  pauseMs(): number {
    return this.#config.newMs
  }

  /** Returns the queries of the selection. Series are selected by slug and requested by id; a series that does not
   *  exist yet is looked up again the next time. */
  async #queries({ signal }: FinderDesk): Promise<GammaQuery[]> {
    const { selection } = this.#config
    if (selection.series.some((slug) => !this.#seriesIds.has(slug))) {
      const slugs = selection.series.map((slug): [string, string] => ['slug', slug])
      const path = `/series?${new URLSearchParams(slugs)}`
      this.#seriesIds = (await this.#gamma.get({ path, read: seriesIds, signal })).read
    }
    return gammaQueries(selection, this.#seriesIds)
  }

  #pages({ signal }: FinderDesk, query: Pick<GammaQuery, 'path' | 'filter'>, further: [string, string][]) {
    return pagesOf(this.#gamma, {
      path: gammaPath(query, this.#config, further),
      list: query.path === '/markets/keyset' ? 'markets' : 'events',
      cursor: { received: 'next_cursor', sent: 'after_cursor' },
      nameOf: gammaName,
      signal,
    })
  }

  /** Reads pages until `isDone` holds for every entry of a page, or `pagesMax` is reached. */
  async #until(
    desk: FinderDesk,
    query: GammaQuery,
    further: [string, string][],
    { isDone, pagesMax }: { isDone: (entry: JsonObject) => boolean; pagesMax: number },
  ): Promise<void> {
    let pages = 0
    for await (const page of this.#pages(desk, query, further)) {
      this.#take(desk, page, query.isRelevant)
      if (page.entries.every(isDone) || ++pages === pagesMax) return
    }
  }

  /** Passes the selected markets of a page to discovery, and returns them. Makes discovery request markets without
   *  tokens again. */
  #take(desk: FinderDesk, page: Page, isRelevant: GammaQuery['isRelevant']): GammaMarket[] {
    const { selection } = this.#config
    const selected = marketsOn(page.entries).filter((market) => isRelevant(market) && !isExcluded(selection, market))
    for (const { market, isDry } of selected) if (isDry) desk.again(market)
    desk.found(
      selected.filter(({ isDry }) => !isDry),
      page,
    )
    return selected
  }
}

/** Whether a time is before `ms`; false if it is missing or invalid. */
function isBefore(time: unknown, ms: number): boolean {
  const timeMs = timeMsOf(time)
  return timeMs !== null && timeMs < ms
}
