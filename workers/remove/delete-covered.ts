// Removes what an archive has of times that the user's own recording has as well, as if the archive had been imported
// after it: for a recording that was loaded later. Day by day, each in a commit of its own.

import type { StoredDay } from '../../storage/catalogue.ts'
import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import type { GapEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { collectGarbage, type MemoryLimit } from '../collect-garbage.ts'
import { isOwnTime, ownTimes } from '../import/own-times.ts'
import { MarketPlan } from '../partition/market-plan.ts'
import type { DeletedDay } from './delete-days.ts'
import { countIn, type Goes, isOfSource, keptRecords } from './kept-records.ts'

const TRIES = 100
const MEMORY: MemoryLimit = { residentBytes: 256 << 20, timeShare: 3 }

export type CoveredScope = {
  venue: Venue
  market: string
  source: string
  /** All days without it. */
  date?: string | undefined
  /** Only tells what would go. */
  isDry: boolean
}

/** Of one market. Returns the days that had such records, and how many. Throws DataError. */
export async function deleteCovered(store: Store, scope: CoveredScope): Promise<DeletedDay[]> {
  const { venue, market, date: only } = scope
  const deleted: DeletedDay[] = []
  store.refresh()
  for (const { date } of await store.catalogue.heads(venue, market)) {
    if (only !== undefined && date !== only) continue
    const records = await deleteInDay(store, { venue, market, date }, scope)
    if (records > 0) deleted.push({ date, records })
    collectGarbage(MEMORY)
  }
  return deleted
}

/** Planned outside of any lock, and again where another process changed the market meanwhile. */
async function deleteInDay(store: Store, key: PartitionKey, { source, isDry }: CoveredScope): Promise<number> {
  const { venue, market, date } = key
  for (let tries = 1; tries <= TRIES; tries++) {
    store.refresh()
    try {
      const plan = await MarketPlan.begin(store, venue, market)
      const days = await store.catalogue.heads(venue, market)
      const head = days.find((day) => day.date === date)?.head
      if (head === undefined || countIn(head, source) === 0) return 0
      const own = await headWithout(store, key, head, source)
      if (own === undefined) return 0
      const goes = isCovered(
        days.map((day) => (day.date === date ? { ...day, head: own } : day)),
        head.gaps,
        source,
      )
      const { kept, removed, firstRemoved } = await keptRecords(store, key, head, goes)
      if (removed === 0 || isDry) return removed
      await plan.replace(key, kept, firstRemoved)
      await plan.follow(key)
      if ((await store.catalogue.commit([plan.change()])).length === 0) return removed
    } catch (error) {
      if (!(error instanceof PartGone) || tries === TRIES) throw error
    }
  }
  throw new DataError('store_unavailable', 'Other processes change this market all the time')
}

/** The head that the day would have without the archive, whose records may contradict the own ones: that is no gap of
 *  theirs. Undefined where nothing else is in it. */
async function headWithout(
  store: Store,
  key: PartitionKey,
  head: PartitionHead,
  source: string,
): Promise<PartitionHead | undefined> {
  const { kept, firstRemoved } = await keptRecords(store, key, head, isOfSource(source))
  if (kept.recordCount === 0) return undefined
  const plan = await MarketPlan.begin(store, key.venue, key.market)
  await plan.replace(key, kept, firstRemoved)
  return plan.change().partitions[0]!.head!
}

/** A gap that the archive tells of goes where both of its ends are covered. `gaps` are those of the day. */
function isCovered(days: readonly StoredDay[], gaps: readonly GapEntry[], source: string): Goes {
  const isOf = isOfSource(source)
  const own = ownTimes(days)
  const ends = new Map(gaps.map((gap) => [`${gap.book} ${gap.atMs} ${gap.source}`, gap.toMs ?? gap.atMs]))
  return (block, record) => {
    const book = block.bookIds[block.books[record]! - 1]
    if (book === undefined || !isOf(block, record)) return false
    const times = own.get(book)
    const timeMs = block.timesMs[record]!
    const { kind } = block.shapes[block.shapeIndexes[record]!]!.shape
    if (times === undefined || !isOwnTime(times[kind === 'trade' ? 'trade' : 'book'], timeMs)) return false
    return kind !== 'gap' || isOwnTime(times.book, ends.get(`${book} ${timeMs} ${source}`) ?? timeMs)
  }
}
