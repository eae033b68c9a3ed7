// Removes days of a market. The days after them whose opening books follow from them change with them.

import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import { MarketPlan } from '../partition/market-plan.ts'

export type DeletedDay = { date: string; records: number }

const TRIES = 100

/** Without `date` every day. Planned outside of any lock, and again where another process changed the market meanwhile.
 *  Returns the days that were removed. Throws DataError. */
export async function deleteDays(store: Store, venue: Venue, market: string, date?: string): Promise<DeletedDay[]> {
  for (let tries = 1; tries <= TRIES; tries++) {
    store.refresh()
    try {
      const plan = await MarketPlan.begin(store, venue, market)
      const range = date === undefined ? undefined : { from: date, to: date }
      const days = await store.catalogue.heads(venue, market, range)
      if (days.length === 0) return []
      // From the last one on: no day that goes as well is planned anew.
      for (const day of days.toReversed()) await plan.remove({ venue, market, date: day.date })
      const refused = await store.catalogue.commit([plan.change()])
      if (refused.length === 0) return days.map((day) => ({ date: day.date, records: day.head.recordCount }))
    } catch (error) {
      if (!(error instanceof PartGone) || tries === TRIES) throw error
    }
  }
  throw new DataError('store_unavailable', 'Other processes change this market all the time')
}
