// Reads the depth map of one book over a window, for the time in which the book is known.

import type { StoredDay } from '../../storage/catalogue.ts'
import type { Store } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { SILENT } from '../book/replay.ts'
import { replayWindow } from '../read/window-replay.ts'
import type { SummaryRequest } from '../requests.ts'
import { knownSpans } from '../summary/plan-summary.ts'
import { BookOnMap } from './book-on-map.ts'
import { type MapShape, PriceSteps, type Sizes } from './price-steps.ts'

/** Must be validated, so that the map has a limited number of cells. */
export type DepthMapRequest = Pick<SummaryRequest, 'venue' | 'market' | 'book' | 'nowMs'> & Omit<MapShape, 'isRounded'>

export type DepthMap = {
  columns: number
  /** Runs of columns in which the book is known, both ends inclusive. */
  known: [first: number, last: number][]
  /** Prices at which anything rests, ascending; `price` is in 1e-6 dollars. */
  rows: { price: number; sizes: Sizes }[]
}

/** Returns the map. Rejects with DataError: market_not_stored, block_corrupt. */
export function readDepthMap(store: Store, request: DepthMapRequest, isRounded: boolean): Promise<DepthMap> {
  const { venue, market, toMs } = request
  return replayWindow(store, request, async (replay, days) => {
    const next = await store.catalogue.neighbour({ venue, market, date: utcDate(toMs) }, 'after')
    const spans = spansOf(request, days, next)
    const steps = new PriceSteps({ ...request, isRounded })
    const sink = new BookOnMap(steps)
    spans.forEach(({ fromMs, endMs }, i) => {
      replay.advanceTo(fromMs - 1, i === 0 ? SILENT : sink)
      if (i === 0) sink.begin(replay.book)
      sink.open(replay.book, fromMs)
      replay.advanceTo(endMs - 1, sink)
      sink.close(endMs)
    })
    steps.finish()
    return mapOf(steps, request)
  })
}

type Span = { fromMs: number; endMs: number }

/** Returns the spans of stored days in which the book is known or lost; `endMs` is exclusive. */
function spansOf(request: DepthMapRequest, days: readonly StoredDay[], next: StoredDay | undefined): Span[] {
  const spans: Span[] = []
  for (const known of knownSpans({ ...request, fill: 'observed' }, days, next)) {
    const fromMs = Math.max(request.fromMs, known.fromMs)
    const endMs = Math.min(request.toMs, known.toMs) + 1
    for (const { date } of days) {
      const dayMs = dateStartMs(date)
      const span = { fromMs: Math.max(dayMs, fromMs), endMs: Math.min(dayMs + DAY_MS, endMs) }
      if (span.fromMs >= span.endMs) continue
      const last = spans.at(-1)
      if (last?.endMs === span.fromMs) last.endMs = span.endMs
      else spans.push(span)
    }
  }
  return spans
}

function mapOf({ columns, rows, knownMs }: PriceSteps, { stepMicros }: DepthMapRequest): DepthMap {
  const known: DepthMap['known'] = []
  knownMs.forEach((ms, column) => {
    if (ms === 0) return
    const last = known.at(-1)
    if (last?.[1] === column - 1) last[1] = column
    else known.push([column, column])
  })
  const resting = rows.flatMap((sizes, step) => (sizes === undefined ? [] : [{ price: step * stepMicros, sizes }]))
  return { columns, known, rows: resting }
}
