// Removes days of a market. The days after them whose opening books follow from them change with them.

import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { storedRecords } from '../../storage/format/head-layers.ts'
import type { Store } from '../../storage/open-store.ts'
import { withRetry } from '../../storage/retry/with-retry.ts'
import type { Venue } from '../../storage/venue.ts'
import { MarketPlan } from '../dates/market-plan.ts'

export type DeletedDay = { date: string; records: number }

const ATTEMPTS = 100

/** Without `date` every day. Returns the days that were removed. Throws DataError. */
export function deleteDays(store: Store, venue: Venue, market: string, date?: string): Promise<DeletedDay[]> {
  return removeFrom(store, { venue, market }, async (plan) => {
    const range = date === undefined ? undefined : { from: date, to: date }
    const days = await store.catalogue.heads(venue, market, range)
    // From the last one on: no day that goes as well is planned anew.
    for (const day of days.toReversed()) await plan.remove({ venue, market, date: day.date })
    return days.map((day) => ({ date: day.date, records: storedRecords(day.head) }))
  })
}

class MarketChanged extends DataError {
  constructor() {
    super('store_unavailable', 'Other processes change this market all the time')
  }
}

/** Commits what `remove` plans, unless it returns no days. Plans outside of any lock, and again if another process
 *  changed the market meanwhile. Throws DataError. */
export function removeFrom(
  store: Store,
  { venue, market }: { venue: Venue; market: string },
  remove: (plan: MarketPlan) => Promise<DeletedDay[]>,
): Promise<DeletedDay[]> {
  const attempt = async () => {
    store.refresh()
    const plan = await MarketPlan.begin(store, venue, market)
    const days = await remove(plan)
    const refused = days.length === 0 ? [] : await store.catalogue.commit([await plan.change()])
    if (refused.length > 0) throw new MarketChanged()
    return days
  }
  const isPassing = (error: unknown) => error instanceof PartGone || error instanceof MarketChanged
  return withRetry(attempt, { attempts: ATTEMPTS, isPassing })
}
