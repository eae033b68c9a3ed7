// Reads a market while others write, with heads and parts from the same commit.

import { PartGone } from '../../storage/damage.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'

const TRIES = 5

/** Runs `read`, which plans, fetches and computes. Runs it again if another commit changed the market meanwhile, up
 *  to TRIES times in total. If a part is missing although the market has not changed, the store is damaged, and the
 *  error is thrown. */
export async function consistently<T>(
  { catalogue, refresh }: Pick<Store, 'catalogue' | 'refresh'>,
  { venue, market }: { venue: Venue; market: string },
  read: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = await catalogue.revision(venue, market)
    try {
      const answer = await read()
      if ((await catalogue.revision(venue, market)).revision === before.revision || tries === TRIES) return answer
    } catch (error) {
      if (!(error instanceof PartGone) || tries === TRIES) throw error
      refresh()
      if ((await catalogue.revision(venue, market)).revision === before.revision) throw error
    }
    refresh()
  }
}
