// What discovery needs a venue's REST for. Each question rejects with RestError or CircleError.

import type { Venue } from '../../../storage/venue.ts'
import type { WantedMarket } from '../connection/wanted-market.ts'
import type { FoundMarket } from './market-keeper.ts'

export interface VenueFinder {
  readonly venue: Venue
  /** Equal texts select the same. */
  readonly selection: string
  /** Recorded without a question. */
  readonly named: readonly WantedMarket[]
  /** Whether there is something to find. */
  readonly isFinding: boolean

  /** Everything that is selected. Returns the markets that were seen. */
  scan(desk: FinderDesk): Promise<Set<string>>
  /** What was created since, Unix ms; nothing that is older has to be in it. */
  newest(desk: FinderDesk, sinceMs: number): Promise<void>
  /** Which of the known markets are over by now. */
  over(desk: FinderDesk, sinceMs: number): Promise<void>
  /** These markets. Returns those that need not be asked for again. */
  ask(desk: FinderDesk, markets: readonly string[], isOver: boolean): Promise<Set<string>>
  /** What the venue says of the named markets, for the store. */
  describeNamed(desk: FinderDesk): Promise<void>
  /** How long until `newest` should be asked again, ms. */
  pauseMs(desk: FinderDesk): number
}

/** What a finder hands over, and looks at. */
export interface FinderDesk {
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly known: {
    readonly size: number
    get(market: string): { closesMs: number | null; overMs: number | null } | undefined
    all(): Iterable<{ market: string; closesMs: number | null; overMs: number | null }>
  }
  /** Selected markets, and the body that told them: it is kept where it has news. */
  found(markets: readonly FoundMarket[], body: { body: string; receivedNs: bigint }): void
  /** Named markets, and the body that told them: it is kept where it has news. */
  described(markets: readonly { market: string; said: string }[], body: { body: string; receivedNs: bigint }): void
  /** A market that is not complete yet: it is asked for again. */
  again(market: string): void
}

/** Where no REST is asked: named markets alone. */
export const namedOnly = (venue: Venue, named: readonly WantedMarket[]): VenueFinder => ({
  venue,
  selection: '',
  named,
  isFinding: false,
  scan: async () => new Set(),
  newest: async () => undefined,
  over: async () => undefined,
  ask: async () => new Set(),
  describeNamed: async () => undefined,
  pauseMs: () => Number.POSITIVE_INFINITY,
})
