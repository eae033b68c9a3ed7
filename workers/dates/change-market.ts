// Changes one market: plans without a lock, commits, and plans again if another process has changed the market since.

import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { withRetry } from '../../storage/retry/with-retry.ts'
import type { Venue } from '../../storage/venue.ts'
import { MarketPlan } from './market-plan.ts'

const ATTEMPTS = 100

class MarketChanged extends DataError {
  constructor() {
    super('store_unavailable', 'Other processes change this market all the time')
  }
}

/** Commits the plan if `plan` returns days. Returns these days. Throws DataError. */
export function changeMarket<Day>(
  store: Store,
  { venue, market }: { venue: Venue; market: string },
  plan: (plan: MarketPlan) => Promise<Day[]>,
): Promise<Day[]> {
  const attempt = async () => {
    store.refresh()
    const planned = await MarketPlan.begin(store, venue, market)
    const days = await plan(planned)
    const refused = days.length === 0 ? [] : await store.catalogue.commit([await planned.change()])
    if (refused.length > 0) throw new MarketChanged()
    return days
  }
  const isPassing = (error: unknown) => error instanceof PartGone || error instanceof MarketChanged
  return withRetry(attempt, { attempts: ATTEMPTS, isPassing })
}
