// A block of a date: the levels that so many records of one book change, as columns.

import { ArrowTable } from '../columns/arrow.ts'
import { countUpTo } from '../columns/count-up-to.ts'

/** Records of a block, those of a market's other books counted. */
export const BLOCK_RECORDS = 16_384

export const KINDS = ['level', 'snapshot', 'gap'] as const
export const SIDES = ['bid', 'ask'] as const
export const [LEVEL, SNAPSHOT, GAP] = [0, 1, 2]
export const [BID, ASK] = [0, 1]
/** The side of the one row of a gap that removes nothing. */
export const NO_LEVEL = 255

export const CHANGE_COLUMNS = ['timestamp', 'record', 'kind', 'side', 'price', 'before', 'after'] as const

export type BlockId = { date: string; index: number }

export type ChangeBlock = {
  date: string
  /** How many blocks of the date lie before it. */
  index: number
  /** Whether the date has another one. */
  hasMore: boolean
  /** A row is a level that a record changes, in the order of the records. */
  rows: number
  timesMs: Float64Array
  /** Places in the date; of a switch to another source, which is no record, half a place before the next one. */
  records: Float64Array
  /** Indices of KINDS, and of SIDES or NO_LEVEL. */
  kinds: Uint8Array
  sides: Uint8Array
  /** Dollars and contracts. */
  prices: Float64Array
  before: Float64Array
  after: Float64Array
}

/** `bytes` are the Arrow stream that the API answers about `date`, from the record `index * BLOCK_RECORDS` on. */
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

/** With places for rows of no record. */
export function placed(records: Float64Array): Float64Array {
  for (let row = records.length - 1; row >= 0; row--) {
    if (!Number.isNaN(records[row]!)) continue
    const next = records[row + 1]
    const before = () => records.findLast((record, i) => i < row && !Number.isNaN(record)) ?? 0
    records[row] = next === undefined ? before() + 0.5 : Number.isInteger(next) ? next - 0.5 : next
  }
  return records
}

/** How many rows are not behind an instant. */
export const rowsUntil = ({ timesMs }: ChangeBlock, ms: number): number => countUpTo(timesMs, ms)

/** How many rows are of records up to a place. */
export const rowsThrough = ({ records }: ChangeBlock, record: number): number => countUpTo(records, record)

/** The first row of the record that a row is of. */
export function recordStart({ records }: ChangeBlock, row: number): number {
  let first = row
  while (first > 0 && records[first - 1] === records[row]) first--
  return first
}
