// A block of a date: the levels that a run of records changes in one book, as columns.

import { ArrowTable } from '../columns/arrow.ts'
import { countUpTo } from '../columns/count-up-to.ts'

/** Records of a block, including those of the market's other books. */
export const BLOCK_RECORDS = 16_384

export const KINDS = ['level', 'snapshot', 'gap'] as const
export const SIDES = ['bid', 'ask'] as const
export const [LEVEL, SNAPSHOT, GAP] = [0, 1, 2]
export const [BID, ASK] = [0, 1]
/** Value of `sides` for a gap that removes no level. Such a gap has a single row. */
export const NO_LEVEL = 255

export const CHANGE_COLUMNS = ['timestamp', 'record', 'kind', 'side', 'price', 'before', 'after'] as const

export type BlockId = { date: string; index: number }

export type ChangeBlock = {
  date: string
  /** The number of blocks of the date before this one. */
  index: number
  /** Whether the date has another block. */
  hasMore: boolean
  /** One row per level that a record changes, in record order. */
  rows: number
  timesMs: Float64Array
  /** Record numbers within the date. A switch to another source is not a record: its number is half below the next
   *  record's. */
  records: Float64Array
  /** `kinds` has indices into KINDS. `sides` has indices into SIDES, or NO_LEVEL. */
  kinds: Uint8Array
  sides: Uint8Array
  /** Prices are in dollars, sizes in contracts. */
  prices: Float64Array
  before: Float64Array
  after: Float64Array
}

/** Reads a block. `bytes` is the API's Arrow stream for `date`, from the record `index * BLOCK_RECORDS` on. */
export function changeBlockOf(bytes: Uint8Array, date: string, index: number): ChangeBlock {
  const table = new ArrowTable(bytes)
  return {
    date,
    index,
    hasMore: table.metadata.get('backbook.has_more') === 'true',
    rows: table.rows,
    timesMs: table.numbers('timestamp'),
    records: placed(table.numbers('record')),
    kinds: Uint8Array.from(table.texts('kind') as (typeof KINDS)[number][], (kind) => KINDS.indexOf(kind)),
    sides: Uint8Array.from(table.texts('side') as ((typeof SIDES)[number] | null)[], (side) =>
      side === null ? NO_LEVEL : SIDES.indexOf(side),
    ),
    prices: table.numbers('price'),
    before: table.numbers('before'),
    after: table.numbers('after'),
  }
}

/** Numbers each row without a record half below the next record, or half above the last. Changes the array in
 *  place. */
export function placed(records: Float64Array): Float64Array {
  for (let row = records.length - 1; row >= 0; row--) {
    if (!Number.isNaN(records[row]!)) continue
    const next = records[row + 1]
    const before = () => records.findLast((record, i) => i < row && !Number.isNaN(record)) ?? 0
    records[row] = next === undefined ? before() + 0.5 : Number.isInteger(next) ? next - 0.5 : next
  }
  return records
}

/** Returns the number of rows up to an instant, inclusive. */
export const rowsUntil = ({ timesMs }: ChangeBlock, ms: number): number => countUpTo(timesMs, ms)

/** Returns the number of rows that belong to records up to a record number, inclusive. */
export const rowsThrough = ({ records }: ChangeBlock, record: number): number => countUpTo(records, record)

/** Returns the first row of the record to which a row belongs. */
export function recordStart({ records }: ChangeBlock, row: number): number {
  let first = row
  while (first > 0 && records[first - 1] === records[row]) first--
  return first
}
