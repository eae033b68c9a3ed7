// Applies a commit to the tables for finding: sums of dates, which markets are known and their newest date, and what is
// removed with a date.

import type { TransactionSQL } from 'bun'
import { changeSums, type DayTotals, NO_SUMS, totalsOf } from '../../finding/day-totals.ts'
import type { Venue } from '../../venue.ts'
import type { DayChange, RowChange } from '../database/cluster-database.ts'
import { forgetUnknown, noteDates } from './finding/known-markets.ts'
import { removeAudits } from './finding/stored-audits.ts'
import { type AddedSums, addSums } from './finding/stored-sums.ts'

/** A market whose dates changed: whether it had any before the commit, and has any after it. */
export type NotedChange = RowChange & { wasStored: boolean; isStored: boolean }
/** A changed day. `figures` are the day's new statistics; null if the day is removed. */
export type ChangedDay = { venue: Venue; change: DayChange; figures: DayTotals | null }

/** Runs within the commit's transaction, after its rows of `markets` have changed. All commits lock shared rows in the
 *  same order: known markets, what belongs to dates, then sums, because most commits want those. */
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

/** Returns whether the change adds or removes a date. */
export const hasOtherDates = ({ days }: Pick<RowChange, 'days'>): boolean =>
  days.some(({ before, head }) => before === null || head === null)

/** Returns what the changes add to the sums of each date. */
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
    changeSums(known.sums, before && totalsOf(before), figures)
    if (head !== null) known.lastRecordMs = Math.max(head.decoded.lastMs, known.lastRecordMs ?? head.decoded.lastMs)
  }
  return [...added.values()]
}
