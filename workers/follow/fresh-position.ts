// Whether what was told before a position is still as it is stored: records that were merged before it, or the books
// that its day begins with.

import type { StoredDay } from '../../storage/catalogue.ts'
import { checksumOf } from '../../storage/format/block.ts'
import { CHANNELS, type FollowPosition } from './follow-request.ts'
import type { Reset } from './state-messages.ts'

/** What stands before a day: how many records all earlier days have, and the books that the latest of them closes with.
 *  32 bits; 0 where no earlier day is stored. */
export function checksumOfEarlier({
  recordCount,
  closing,
}: {
  recordCount: number
  closing: Uint8Array | null
}): number {
  if (recordCount === 0) return 0
  const text = `${recordCount} ${closing === null ? '' : checksumOf(closing)}`
  return Number(Bun.hash.xxHash64(text) & 0xffff_ffffn)
}

/** Undefined where nothing before the position has changed. `earlier` is the checksum of the days before its own, as
 *  they are now. */
export function changeBefore(position: FollowPosition, day: StoredDay | undefined, earlier: number): Reset | undefined {
  if (day === undefined) return { reason: 'removed', changed: null }
  const { record, step, revision } = position
  const { head, date } = day
  // A record that was told in part is as good as told.
  const told = step === 0 ? record : record + 1
  const changed = head.edits.filter(([edited, first]) => edited > revision && first < told).map(([, first]) => first)
  if (told > head.recordCount) return { reason: 'removed', changed: null }
  if (changed.length > 0) return { reason: 'late_records', changed: { date, record: Math.min(...changed) } }
  return earlier === position.earlier ? undefined : { reason: 'earlier_days_changed', changed: null }
}

/** Whether all messages of the day so far are told. */
export const isAtEnd = ({ record, step }: FollowPosition, { head }: StoredDay): boolean =>
  record >= head.recordCount || (record === head.recordCount - 1 && step === CHANNELS.length)
