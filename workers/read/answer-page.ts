// Reads a page of raw records from a store.

import type { Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import type { PageHead, PageRequest } from '../requests.ts'
import { RecordChunks } from '../table/records-json.ts'
import { consistently } from './consistently.ts'
import { partsOf, planByOffset, planByTime } from './plan-page.ts'
import { requireMarket } from './require-market.ts'
import { selectRecords } from './select-records.ts'

type DateScope = Extract<PageRequest['scope'], { date: string }>
type RangeScope = Extract<PageRequest['scope'], { fromMs: number }>

/** A page of records. While the client is slow, `chunks` holds the rest of a block in packed form. */
export type PageOfRecords = { head: PageHead; chunks: RecordChunks }

/** Returns the page. Rejects with DataError: market_not_stored, block_corrupt, cursor_stale. */
export function answerPage(store: Store, request: PageRequest): Promise<PageOfRecords> {
  return consistently(store, request, async () => {
    await requireMarket(store, request)
    return 'date' in request.scope ? datePage(store, request, request.scope) : rangePage(store, request, request.scope)
  })
}

async function datePage(store: Store, request: PageRequest, { date, offset }: DateScope): Promise<PageOfRecords> {
  const { venue, market, book, layout } = request
  const head = await store.catalogue.head({ venue, market, date })
  const days = head === undefined ? [] : [{ date, head }]
  const total = book === null ? head?.recordCount : head?.books.find(({ id }) => id === book)?.recordCount
  const planned = planByOffset(request, days, offset)
  const { count, hasMore, blocks } = selectRecords(request, planned, await store.blocks.fetch(partsOf(planned)))
  return {
    head: { dataCount: count, hasMore, totalCount: total ?? 0, next: null },
    chunks: new RecordChunks(venue, market, blocks, layout),
  }
}

async function rangePage(store: Store, request: PageRequest, scope: RangeScope): Promise<PageOfRecords> {
  const { venue, market, layout } = request
  const days = await store.catalogue.heads(venue, market, { from: utcDate(scope.fromMs), to: utcDate(scope.toMs) })
  const planned = planByTime(request, days, scope)
  const parts = await store.blocks.fetch(partsOf(planned))
  const { count, hasMore, after, blocks } = selectRecords(request, planned, parts)
  return {
    head: { dataCount: count, hasMore, totalCount: null, next: hasMore ? after : null },
    chunks: new RecordChunks(venue, market, blocks, layout),
  }
}
