// Removes days of a market. The days after them whose opening books follow from them change with them.

import { storedRecords } from '../../storage/format/head-layers.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import { changeMarket } from '../dates/change-market.ts'

export type DeletedDay = { date: string; records: number }

/** Without `date` every day. Returns the days that were removed. Throws DataError. */
export function deleteDays(store: Store, venue: Venue, market: string, date?: string): Promise<DeletedDay[]> {
  return changeMarket(store, { venue, market }, async (plan) => {
    const range = date === undefined ? undefined : { from: date, to: date }
    const days = await store.catalogue.heads(venue, market, range)
    // From the last one on: no day that goes as well is planned anew.
    for (const day of days.toReversed()) await plan.remove({ venue, market, date: day.date })
    return days.map((day) => ({ date: day.date, records: storedRecords(day.head) }))
  })
}
