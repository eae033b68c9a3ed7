// What a commit means for finding: sums of dates, which markets are known and as how new, and what goes with a date
// that is removed.

import type { TransactionSQL } from 'bun'
import { changedSums, type DaySums, figuresOf, NO_SUMS } from '../../finding/day-figures.ts'
import type { Venue } from '../../venue.ts'
import type { RowChange } from '../database/cluster-database.ts'
import { removeAudits } from './finding/kept-audits.ts'
import { removeDayQuality } from './finding/kept-provenance.ts'
import { forgetUnknown, noteDates } from './finding/known-markets.ts'
import { type AddedSums, addSums } from './finding/stored-sums.ts'

export type TakenChange = RowChange & { wasStored: boolean; isStored: boolean }

/** Within the transaction of the commit, after its rows of `markets` are changed. Rows that others may want are taken
 *  in an order that is the same for all: known markets, what goes with dates, sums; these last: most want them. */
export async function noteCommit(sql: TransactionSQL, taken: readonly TakenChange[]): Promise<void> {
  const isOther = ({ days }: TakenChange) => days.some(({ before, head }) => (before === null) !== (head === null))
  await noteDates(sql, taken.filter(isOther))
  await forgetUnknown(
    sql,
    taken.filter(({ wasStored, isStored }) => wasStored && !isStored),
  )
  const removed = taken.flatMap(({ venue, market, days }) =>
    days.flatMap(({ date, head }) => (head === null ? [{ venue, market, date }] : [])),
  )
  if (removed.length > 0) {
    await removeAudits(sql, removed)
    await removeDayQuality(sql, removed)
  }
  await addSums(sql, [...addedSums(taken).values()])
}

function addedSums(taken: readonly TakenChange[]): Map<string, AddedSums> {
  const added = new Map<string, AddedSums>()
  for (const { venue, days } of taken) {
    for (const { date, before, head } of days) {
      const known = added.get(`${venue} ${date}`) ?? none(venue, date)
      const [had, has] = [before && figuresOf(before), head && figuresOf(head.decoded)]
      const sums: DaySums = changedSums(known.sums, had, has)
      const lastMs = head?.decoded.lastMs ?? null
      const lastRecordMs = lastMs === null ? known.lastRecordMs : Math.max(lastMs, known.lastRecordMs ?? lastMs)
      added.set(`${venue} ${date}`, { venue, date, sums, lastRecordMs })
    }
  }
  return added
}

const none = (venue: Venue, date: string): AddedSums => ({ venue, date, sums: NO_SUMS, lastRecordMs: null })
