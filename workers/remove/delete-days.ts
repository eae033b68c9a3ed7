// Removes days of a market. Updates the opening books of the days after them.

import { storedRecords } from '../../storage/format/head-layers.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import { changeMarket } from '../dates/change-market.ts'

export type DeletedDay = { date: string; records: number }

/** Removes one date, or every day if `date` is absent. Returns the removed days. Throws DataError. */
export function deleteDays(store: Store, venue: Venue, market: string, date?: string): Promise<DeletedDay[]> {
  return changeMarket(store, { venue, market }, async (plan) => {
    const range = date === undefined ? undefined : { from: date, to: date }
    const days = await store.catalogue.heads(venue, market, range)
    // Remove the last day first. Otherwise each removal would plan the next day again, although that day is removed
    // too.
    for (const day of days.toReversed()) await plan.remove({ venue, market, date: day.date })
    return days.map((day) => ({ date: day.date, records: storedRecords(day.head) }))
  })
}
