// The interface between discovery and a venue's REST. Every request may reject with RestError or CircleError.

import type { Venue } from '../../../storage/venue.ts'
import type { WantedMarket } from '../connection/venue-protocol.ts'
import type { FoundMarket } from './known-markets.ts'

export interface VenueFinder {
  readonly venue: Venue
  /** The selection as a text. Equal texts select the same markets. */
  readonly selection: string
  /** Markets that are recorded without a request. */
  readonly named: readonly WantedMarket[]
  /** Whether the selection needs discovery. */
  readonly isFinding: boolean

  /** Lists all selected markets. Returns the ids of those it found. */
  scan(desk: FinderDesk): Promise<Set<string>>
  /** Finds markets that were created since `sinceMs`, Unix ms. May leave out markets that were created before. */
  newest(desk: FinderDesk, sinceMs: number): Promise<void>
  /** Finds out which known markets are over by now. */
  over(desk: FinderDesk, sinceMs: number): Promise<void>
  /** Requests these markets. Returns those that need no further request. */
  ask(desk: FinderDesk, markets: readonly string[], isOver: boolean): Promise<Set<string>>
  /** Requests the metadata of the named markets, for the store. */
  describeNamed(desk: FinderDesk): Promise<void>
  /** Returns the pause until `newest` should be called again, ms. */
  pauseMs(desk: FinderDesk): number
}

/** The interface through which a finder reads from discovery and passes markets to it. */
export interface FinderDesk {
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly known: {
    readonly size: number
    get(market: string): { closesMs: number | null; overMs: number | null } | undefined
    all(): Iterable<{ market: string; closesMs: number | null; overMs: number | null }>
  }
  /** Passes selected markets with the body that lists them. The body is stored if it has news. */
  found(markets: readonly FoundMarket[], body: { body: string; receivedNs: bigint }): void
  /** Passes named markets with the body that describes them. The body is stored if it has news. */
  described(markets: readonly { market: string; said: string }[], body: { body: string; receivedNs: bigint }): void
  /** Schedules another request for a market whose description is not complete yet. */
  again(market: string): void
}

/** Returns a finder for a venue without REST. The finder has only the named markets. */
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
