// Answers a page of raw records from a store.

import type { Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import type { PageHead } from '../pool/answer-heads.ts'
import type { PageRequest } from '../requests.ts'
import { RecordChunks } from '../table/records-json.ts'
import { requireMarket } from './require-market.ts'
import { selectByOffset, selectByTime } from './select-records.ts'

type DateScope = Extract<PageRequest['scope'], { date: string }>
type RangeScope = Extract<PageRequest['scope'], { fromMs: number }>

/** Its chunks take note of a slow client. */
export type PageOfRecords = { head: PageHead; chunks: RecordChunks }

/** Throws DataError: market_not_stored, block_corrupt, cursor_stale. */
export function answerPage(store: Store, request: PageRequest): PageOfRecords {
  requireMarket(store, request)
  return 'date' in request.scope ? datePage(store, request, request.scope) : rangePage(store, request, request.scope)
}

function datePage(store: Store, request: PageRequest, { date, offset }: DateScope): PageOfRecords {
  const { venue, market, book, layout } = request
  const head = store.blocks.head({ venue, market, date })
  const day = head === undefined ? undefined : { date, head }
  const total = book === null ? head?.recordCount : head?.books.find(({ id }) => id === book)?.recordCount
  const { count, hasMore, blocks } = selectByOffset(store.blocks, request, day, offset)
  return {
    head: { dataCount: count, hasMore, totalCount: total ?? 0, next: null },
    chunks: new RecordChunks(venue, market, blocks, layout),
  }
}

function rangePage(store: Store, request: PageRequest, scope: RangeScope): PageOfRecords {
  const { venue, market, layout } = request
  const days = store.catalogue.heads(venue, market, { from: utcDate(scope.fromMs), to: utcDate(scope.toMs) })
  const { count, hasMore, after, blocks } = selectByTime(store.blocks, request, days, scope)
  return {
    head: { dataCount: count, hasMore, totalCount: null, next: hasMore ? after : null },
    chunks: new RecordChunks(venue, market, blocks, layout),
  }
}
