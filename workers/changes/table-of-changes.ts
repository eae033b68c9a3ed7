// Reads the changes of one book as a table, block by block as the rows are taken.

import type { Store } from '../../storage/open-store.ts'
import { dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { bookConstants } from '../read/book-constants.ts'
import type { BookWindow } from '../read/plan-replay.ts'
import { replayWindow, type WindowReplay } from '../read/window-replay.ts'
import { type Column, columnNames, NO_TEXTS, NULL, type Table, type TableChunk } from '../table/table.ts'
import { NOTED_TRUSTS, rankOf, TRUSTS, type TrustStep, trustAt, trustSteps, UNKNOWN } from '../trust/trust-steps.ts'
import { ChangedLevels, KINDS, SIDES } from './changed-levels.ts'

/** Either a window, both ends inclusive, or a page of a date: `limit` records of all books from the place `record`
 *  on, like a page of raw records. Plain data. */
export type ChangesScope = { fromMs: number; toMs: number } | { date: string; record: number; limit: number }

export type ChangesRequest = {
  venue: Venue
  market: string
  /** Asset id on Polymarket, the ticker on Kalshi. */
  book: string
  scope: ChangesScope
  /** Only rows with these trusts; all if undefined. */
  trust?: readonly string[] | undefined
}

const AMOUNT = { places: 6 }
/** Trust of a change before the first step: the steps begin where the first quote ends. */
const OBSERVED = rankOf('observed')
const LOST = rankOf('lost')
const GAP = KINDS.indexOf('gap')
const RECORD: Column = { name: 'record', type: 'whole', isNullable: false }
const CHANGE_COLUMNS: readonly Column[] = [
  RECORD,
  { name: 'kind', type: { names: KINDS }, isNullable: false },
  { name: 'side', type: { names: SIDES }, isNullable: true },
  { name: 'price', type: AMOUNT, isNullable: true },
  { name: 'before', type: AMOUNT, isNullable: true },
  { name: 'after', type: AMOUNT, isNullable: true },
  { name: 'trust', type: { names: TRUSTS }, isNullable: false },
]

/** Columns for days that show several sources in turn. The record is nullable, because a switch has no record. The
 *  trust may be unknown, because the next source may not know the book. */
const SWITCH_COLUMNS: readonly Column[] = [
  { ...RECORD, isNullable: true },
  ...CHANGE_COLUMNS.slice(1, -1),
  { name: 'trust', type: { names: NOTED_TRUSTS }, isNullable: false },
]

/** Records applied per step, and minimum rows of a chunk, except the last. */
const STEP_RECORDS = 512
const CHUNK_ROWS = 1_024

/** Returns the names of the table's columns in flat formats. */
export const changeColumns = (request: ChangesRequest): string[] => columnNames(CHANGE_COLUMNS, bookConstants(request))

/** Whether the date has further records; null for a window. */
export type ChangesHead = { hasMore: boolean | null }

/** Returns the table. Rejects with DataError: market_not_stored, block_corrupt; iterating over the chunks throws the
 *  same. */
export function tableOfChanges(store: Store, request: ChangesRequest): Promise<{ head: ChangesHead; table: Table }> {
  const { scope } = request
  return replayWindow(store, windowOf(request), (replay, days) => {
    replay.hold()
    toStart(replay, request)
    const recordCount = days[0]?.head.recordCount ?? 0
    const hasMore = 'limit' in scope ? scope.record + scope.limit < recordCount : null
    const constants = bookConstants(request)
    return {
      head: { hasMore },
      table: {
        constants,
        timestampUnit: 'ms',
        columns: replay.hasSwitch ? SWITCH_COLUMNS : CHANGE_COLUMNS,
        chunks: chunksOf(replay, { steps: trustSteps(days, request.book), wanted: request.trust }),
      },
    }
  })
}

function windowOf({ venue, market, book, scope }: ChangesRequest): BookWindow {
  if ('fromMs' in scope) return { venue, market, book, fromMs: scope.fromMs, toMs: scope.toMs }
  const { date, record, limit } = scope
  const fromMs = dateStartMs(date)
  return { venue, market, book, fromMs, toMs: fromMs, fromRecord: record, toRecord: record + limit - 1 }
}

function toStart(replay: WindowReplay, { scope }: ChangesRequest): void {
  if ('fromMs' in scope) replay.advanceTo(scope.fromMs - 1)
  else replay.advanceToRecord(scope.date, scope.record - 1)
}

type Trusted = { steps: readonly TrustStep[]; wanted: readonly string[] | undefined }

function* chunksOf(replay: WindowReplay, trusted: Trusted): Generator<TableChunk> {
  const rows = new ChangedLevels()
  const entries: { rows: Int32Array } = { rows: new Int32Array(0) }
  while (replay.step(STEP_RECORDS, rows)) {
    if (rows.count < CHUNK_ROWS) continue
    yield chunkOf(rows, entries, trusted)
    rows.clear()
  }
  if (rows.count > 0) yield chunkOf(rows, entries, trusted)
}

/** Returns a chunk in which each row is its own entry. */
function chunkOf(rows: ChangedLevels, entries: { rows: Int32Array }, { steps, wanted }: Trusted): TableChunk {
  rows.finish()
  const { timesMs, records, kinds, sides, prices, before, after } = rows
  // Before the first step, the shown source has no record of the book yet, or a gap of the whole market has lost it.
  const trustBeforeSteps = (row: number) => (records[row] === NULL ? UNKNOWN : kinds[row] === GAP ? LOST : OBSERVED)
  const trusts = Float64Array.from(
    timesMs.subarray(0, rows.count),
    (ms, row) => trustAt(steps, ms) ?? trustBeforeSteps(row),
  )
  const isWanted = (_: number, row: number) => wanted!.includes(NOTED_TRUSTS[trusts[row]!]!)
  const all = [timesMs, records, kinds, sides, prices, before, after, trusts]
  const cut = wanted === undefined ? all : all.map((column) => column.subarray(0, rows.count).filter(isWanted))
  const [times, ...columns] = cut
  const count = wanted === undefined ? rows.count : times!.length
  if (entries.rows.length < count) entries.rows = Int32Array.from({ length: 2 * count }, (_, row) => row)
  return {
    rowCount: count,
    timestampsMs: times!,
    entryCount: count,
    entries: entries.rows,
    values: (column) => columns[column]!,
    texts: () => NO_TEXTS,
  }
}
