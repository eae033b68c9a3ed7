// What a cluster needs of its database beyond the port of rows.

import { entryKey, namesOf } from '../rows/keys.ts'
import type { Rows } from '../rows/rows.ts'
import type { Venue } from '../venue.ts'

export type NamedMarket = { venue: Venue; market: string }

/** Returns the name of a market in caches, which its keys contain. */
export const nameOf = ({ venue, market }: NamedMarket): string => entryKey(venue, market).slice(1, -1)

export function namedMarket(name: string): NamedMarket {
  const [venue, market] = namesOf(`m${name}\0`) as [Venue, string]
  return { venue, market }
}

/** Is notified of every commit a moment later, including the commits of this process. */
export type Listener = {
  /** Rows of these markets have changed. */
  changed(markets: readonly NamedMarket[]): void
  /** From now on changes may be missed. */
  lost(): void
  /** From now on every change is reported; earlier ones may have been missed. */
  watching(): void
}

export interface ClusterRows extends Rows {
  /** Starts to report the markets whose entries change. Resolves once changes are reported, to a function that ends the
   *  reports. */
  listen(listener: Listener): Promise<() => Promise<void>>
  /** Runs `work` on rows as of one moment. */
  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  close(): Promise<void>
}
