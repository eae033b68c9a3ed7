// Treats the blocks of all stored dates as one chain.

import { BLOCK_RECORDS, type BlockId } from '../data/replay/change-block.ts'

/** A stored date and its number of records. */
export type DateRecords = { date: string; record_count: number }

/** A position in the chain: a record of a date. */
export type RecordPlace = { date: string; record: number }

export const blockOf = ({ date, record }: RecordPlace): BlockId => ({ date, index: Math.floor(record / BLOCK_RECORDS) })

/** Returns the first block of all; undefined if nothing is stored. */
export const firstBlock = (dates: readonly DateRecords[]): BlockId | undefined =>
  dates[0] === undefined ? undefined : { date: dates[0].date, index: 0 }

/** Returns the next block; undefined after the last one. `dates` must ascend. */
export function blockAfter(dates: readonly DateRecords[], { date, index }: BlockId): BlockId | undefined {
  const here = dates.find((each) => each.date === date)
  if (here !== undefined && (index + 1) * BLOCK_RECORDS < here.record_count) return { date, index: index + 1 }
  const next = dates.find((each) => each.date > date)
  return next === undefined ? undefined : { date: next.date, index: 0 }
}

/** Returns the previous block; undefined before the first one. */
export function blockBefore(dates: readonly DateRecords[], { date, index }: BlockId): BlockId | undefined {
  if (index > 0) return { date, index: index - 1 }
  const previous = dates.findLast((each) => each.date < date)
  if (previous === undefined) return undefined
  return { date: previous.date, index: Math.max(0, Math.ceil(previous.record_count / BLOCK_RECORDS) - 1) }
}
