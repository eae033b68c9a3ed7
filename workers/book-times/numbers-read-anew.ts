// Decides whether an added capture changes how the sequence numbers of the whole day are read (docs/books.md).

import { isOfTwo, isRecorded, type PartitionHead } from '../../storage/format/partition-head.ts'
import { areCovered, unbrokenTimesOf } from './book-times.ts'

type Origins = Pick<PartitionHead, 'heard' | 'sequenceHoles'>

/** Compares the stored head, `before`, with the origins after a capture was added, `after`. */
export const areNumbersReadAnew = (before: Origins & Pick<PartitionHead, 'inferredGaps'>, after: Origins): boolean =>
  isFirstOfRecorder(before, after) || hasNewHoles(before, after) || coversRestart(before, after)

/** Whether the capture brings the day's first records of a recorder, or of a second recorder. */
const isFirstOfRecorder = (before: Origins, after: Origins): boolean =>
  [isRecorded, isOfTwo].some((holds) => holds(after.heard) && !holds(before.heard))

const hasNewHoles = (before: Origins, after: Origins): boolean =>
  (after.sequenceHoles?.length ?? 0) > (before.sequenceHoles?.length ?? 0)

/** Whether the added capture covers a time at which the sequence numbers of another capture stepped back. */
function coversRestart({ inferredGaps, heard }: Parameters<typeof areNumbersReadAnew>[0], after: Origins): boolean {
  const restarts = inferredGaps.filter(({ reason }) => reason === 'sequence_restart')
  if (restarts.length === 0 || heard === after.heard) return false
  const known = unbrokenTimesOf(heard).map(String)
  const added = unbrokenTimesOf(after.heard).filter((time) => !known.includes(String(time)))
  return restarts.some(({ fromMs }) => areCovered(added, fromMs, fromMs))
}
