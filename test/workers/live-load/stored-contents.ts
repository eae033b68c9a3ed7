// Reads the whole content of a store: records, the heads' values of days and books, and buckets.

import { VENUES } from '../../../storage/venue.ts'
import { dateRequest, type TestStore } from '../../support/store.ts'

/** Returns the contents. With `withEnvelopes` false, leaves out receipts and sequence numbers: a record that two
 *  connections received has those of the first. */
export async function storedContents(tested: TestStore, withEnvelopes = true): Promise<unknown[]> {
  const all: unknown[] = []
  tested.store.refresh()
  const { catalogue } = tested.store
  for (const venue of VENUES) {
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 10_000 })
    for (const market of markets) {
      for (const { date, head } of await catalogue.heads(venue, market)) {
        const { books, gaps, inferredGaps, recordCount, tradeCount } = head
        all.push({ market, date, books, gaps, inferredGaps, recordCount, tradeCount })
        const records = await tested.records(venue, market, date)
        for (const record of records) {
          const { received_at: _, sid: __, seq: ___, ...rest } = record
          all.push(withEnvelopes ? record : rest)
        }
        for (const { id } of books) all.push(await tested.summary(dateRequest(venue, market, id, date, 60)))
      }
    }
  }
  return all
}
