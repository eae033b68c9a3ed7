// What a commit means for finding: sums of dates, which markets are known and as how new, and what goes with a date
// that is removed.

import type { TransactionSQL } from 'bun'
import { changeSums, type DayFigures, figuresOf, NO_SUMS } from '../../finding/day-figures.ts'
import type { Venue } from '../../venue.ts'
import type { DayChange, RowChange } from '../database/cluster-database.ts'
import { removeAudits } from './finding/kept-audits.ts'
import { forgetUnknown, noteDates } from './finding/known-markets.ts'
import { type AddedSums, addSums } from './finding/stored-sums.ts'

/** Of a market whose dates are others: whether it had any, and has. */
export type NotedChange = RowChange & { wasStored: boolean; isStored: boolean }
/** `figures` are of the day as it becomes; null where it is removed. */
export type ChangedDay = { venue: Venue; change: DayChange; figures: DayFigures | null }

/** Within the transaction of the commit, after its rows of `markets` are changed. Rows that others may want are taken
 *  in an order that is the same for all: known markets, what goes with dates, sums; these last: most want them. */
export async function noteCommit(
  sql: TransactionSQL,
  noted: readonly NotedChange[],
  sums: readonly AddedSums[],
): Promise<void> {
  await noteDates(sql, noted)
  await forgetUnknown(
    sql,
    noted.filter(({ wasStored, isStored }) => wasStored && !isStored),
  )
  const removed = noted.flatMap(({ venue, market, days }) =>
    days.flatMap(({ date, head }) => (head === null ? [{ venue, market, date }] : [])),
  )
  if (removed.length > 0) await removeAudits(sql, removed)
  await addSums(sql, sums)
}

/** Whether it adds a date, or removes one. */
export const hasOtherDates = ({ days }: Pick<RowChange, 'days'>): boolean =>
  days.some(({ before, head }) => before === null || head === null)

/** What the changes add to the sums of each date. */
export function addedSums(days: readonly ChangedDay[]): AddedSums[] {
  const added = new Map<string, AddedSums>()
  for (const { venue, change, figures } of days) {
    const { date, before, head } = change
    const name = `${venue} ${date}`
    let known = added.get(name)
    if (known === undefined) {
      known = { venue, date, sums: { ...NO_SUMS }, lastRecordMs: null }
      added.set(name, known)
    }
    changeSums(known.sums, before && figuresOf(before), figures)
    if (head !== null) known.lastRecordMs = Math.max(head.decoded.lastMs, known.lastRecordMs ?? head.decoded.lastMs)
  }
  return [...added.values()]
}
