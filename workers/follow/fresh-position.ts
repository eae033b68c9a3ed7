// Checks whether the records before a position are still as they were sent: records may have been merged before it, or
// the opening books of its day may have changed.

import type { StoredDay } from '../../storage/catalogue.ts'
import { checksumOf } from '../../storage/format/block.ts'
import { CHANNELS, type FollowPosition } from './follow-request.ts'
import type { Reset } from './state-messages.ts'

/** Returns a 32-bit checksum of the days before a day, from their number of records and their last closing books; 0 if
 *  no earlier day is stored. */
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

/** Returns what changed before the position; undefined if nothing did. `earlier` is the present checksum of the days
 *  before the position's day. */
export function changeBefore(position: FollowPosition, day: StoredDay | undefined, earlier: number): Reset | undefined {
  if (day === undefined) return { reason: 'removed', changed: null }
  const { record, step, revision } = position
  const { head, date } = day
  // A record that was sent in part counts as sent.
  const sentCount = step === 0 ? record : record + 1
  const changed = head.edits
    .filter(([edited, first]) => edited > revision && first < sentCount)
    .map(([, first]) => first)
  if (sentCount > head.recordCount) return { reason: 'removed', changed: null }
  if (changed.length > 0) return { reason: 'late_records', changed: { date, record: Math.min(...changed) } }
  return earlier === position.earlier ? undefined : { reason: 'earlier_days_changed', changed: null }
}

/** Returns whether all messages of the day so far were sent. */
export const isAtEnd = ({ record, step }: FollowPosition, { head }: StoredDay): boolean =>
  record >= head.recordCount || (record === head.recordCount - 1 && step === CHANNELS.length)
