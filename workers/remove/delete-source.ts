// Removes the layers that were loaded from an archive, and nothing else. Updates what the affected days show, and the
// opening books of the days after them. Each commit leaves a sound store, so an interrupted removal can be run again.

import type { DateRange, StoredDay } from '../../storage/catalogue.ts'
import { headOfSource, sourcesOf } from '../../storage/format/head-layers.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { collectGarbage, type MemoryLimit } from '../collect-garbage.ts'
import { changeMarket } from '../dates/change-market.ts'
import type { MarketPlan } from '../dates/market-plan.ts'
import type { DeletedDay } from './delete-days.ts'

/** Number of bytes of new blocks at which a commit ends. The day that reaches this number is still in the commit. */
const COMMIT_BYTES = 32 << 20
const MEMORY: MemoryLimit = { residentBytes: 256 << 20, timeShare: 3 }

export type SourceDay = PartitionKey & DeletedDay
export type SourceScope = { venue?: Venue | undefined; market?: string | undefined; date?: string | undefined }

/** Yields the days that have records of a source, in key order, each with the number of those records. Reads one head
 *  at a time. */
export async function* daysOfSource(
  { catalogue }: Store,
  source: string,
  venues: readonly Venue[],
  { market, date }: SourceScope,
): AsyncGenerator<SourceDay> {
  for (const venue of venues) {
    for await (const key of market === undefined ? catalogue.partitions(venue) : datesOf(catalogue, venue, market)) {
      if (date !== undefined && key.date !== date) continue
      const head = await catalogue.head(key)
      const layer = head && headOfSource(head, source)
      if (layer !== undefined) yield { ...key, records: layer.recordCount }
    }
  }
}

async function* datesOf(catalogue: Store['catalogue'], venue: Venue, market: string): AsyncGenerator<PartitionKey> {
  for (const { date } of await catalogue.heads(venue, market)) yield { venue, market, date }
}

/** Removes a source from one market: from the days in `range`, or from all days if `range` is absent. Returns the days
 *  that had records of the source, with the number of those records. Throws DataError. */
export async function deleteSource(
  store: Store,
  { venue, market }: { venue: Venue; market: string },
  source: string,
  range?: DateRange,
  commitBytes = COMMIT_BYTES,
): Promise<DeletedDay[]> {
  const deleted: DeletedDay[] = []
  for (;;) {
    const removed = await changeMarket(store, { venue, market }, async (plan) => {
      const days = (await store.catalogue.heads(venue, market, range)).filter(({ head }) =>
        sourcesOf(head).includes(source),
      )
      return planRemoval(plan, { venue, market, source, days, commitBytes })
    })
    if (removed.length === 0) return deleted
    deleted.push(...removed)
    collectGarbage(MEMORY)
  }
}

type Removal = { venue: Venue; market: string; source: string; days: StoredDay[]; commitBytes: number }

/** Plans as many of the days as fit in one commit, from the first on. */
async function planRemoval(
  plan: MarketPlan,
  { venue, market, source, days, commitBytes }: Removal,
): Promise<DeletedDay[]> {
  const planned: DeletedDay[] = []
  let bytes = 0
  for (const [index, { date, head }] of days.entries()) {
    const key = { venue, market, date }
    planned.push({ date, records: headOfSource(head, source)!.recordCount })
    bytes += await plan.removeSource(key, source)
    const isLast = bytes >= commitBytes || index === days.length - 1
    await plan.follow(key, { sources: [source], until: isLast ? undefined : days[index + 1]!.date })
    if (isLast) break
    collectGarbage(MEMORY)
  }
  return planned
}
