// A block of a date: the levels that so many records of one book change, as columns.

import { tableFromIPC } from '@uwdata/flechette'

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
  /** Places in the date. */
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
  const table = tableFromIPC(bytes)
  const valuesOf = (name: (typeof CHANGE_COLUMNS)[number]) => table.getChild(name).toArray() as ArrayLike<unknown>
  const [timestamps, records, kinds, sides, prices, before, after] = CHANGE_COLUMNS.map(valuesOf) as [
    ...Numbers<2>,
    ArrayLike<(typeof KINDS)[number]>,
    ArrayLike<(typeof SIDES)[number] | null>,
    ...Numbers<3>,
  ]
  return {
    date,
    index,
    hasMore: table.schema.metadata?.get('backbook.has_more') === 'true',
    rows: table.numRows,
    timesMs: Float64Array.from(timestamps, Number),
    records: Float64Array.from(records, Number),
    kinds: Uint8Array.from(kinds, (kind) => KINDS.indexOf(kind)),
    sides: Uint8Array.from(sides, (side) => (side === null ? NO_LEVEL : SIDES.indexOf(side))),
    prices: Float64Array.from(prices, Number),
    before: Float64Array.from(before, Number),
    after: Float64Array.from(after, Number),
  }
}

type Numbers<N extends number, T extends ArrayLike<number>[] = []> = T['length'] extends N
  ? T
  : Numbers<N, [...T, ArrayLike<number>]>

/** How many rows are not behind an instant. */
export const rowsUntil = ({ timesMs }: ChangeBlock, ms: number): number => countUpTo(timesMs, ms)

/** How many rows are of records up to a place. */
export const rowsThrough = ({ records }: ChangeBlock, record: number): number => countUpTo(records, record)

/** Of ascending values. */
export function countUpTo(values: Float64Array, most: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** The first row of the record that a row is of. */
export function recordStart({ records }: ChangeBlock, row: number): number {
  let first = row
  while (first > 0 && records[first - 1] === records[row]) first--
  return first
}
