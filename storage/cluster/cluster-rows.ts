// The functions that a cluster needs from its database in addition to those of `Rows`.

import { entryKey, namesOf } from '../rows/keys.ts'
import type { Rows } from '../rows/rows.ts'
import type { Venue } from '../venue.ts'

export type NamedMarket = { venue: Venue; market: string }

/** Returns the name that caches use for a market: its venue and id, encoded as in row keys. */
export const nameOf = ({ venue, market }: NamedMarket): string => entryKey(venue, market).slice(1, -1)

export function namedMarket(name: string): NamedMarket {
  const [venue, market] = namesOf(`m${name}\0`) as [Venue, string]
  return { venue, market }
}

/** A listener is notified of every commit a moment after it, including the commits of this process. */
export type Listener = {
  /** Called when rows of these markets have changed. */
  changed(markets: readonly NamedMarket[]): void
  /** Called when changes may be missed from now on. */
  lost(): void
  /** Called when every change is reported from now on. Earlier changes may have been missed. */
  watching(): void
}

export interface ClusterRows extends Rows {
  /** Starts to report the markets whose entries change. Resolves when the reports have started. The result is a
   *  function that ends them. */
  listen(listener: Listener): Promise<() => Promise<void>>
  /** Runs `work` on rows as of one moment. */
  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  close(): Promise<void>
}
