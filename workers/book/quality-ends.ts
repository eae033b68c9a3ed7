// Ends the evidence of a book: closes the comparison of a snapshot, and turns evidence that is still open after the
// last record into an inferred gap. Pure.

import type { InferredReason } from '../../storage/format/partition-head.ts'
import { isKnown } from '../evidence/trust-table.ts'
import type { OrderBook } from './order-book.ts'
import type { BeforeSnapshot, Progress } from './quality-state.ts'

/** Adds an inferred gap of the book. */
export type AddGap = (reason: InferredReason, fromMs: number, toMs: number | null, levels: number | null) => void

/** Ends the comparison of the last snapshot with the book before it, and counts the result. */
export function closeSnapshot(progress: Progress, addGap: AddGap): void {
  const { open } = progress
  progress.open = null
  if (open === null) return
  const { evidence, toMs, isEmpty, differing } = open
  const levels = differing?.length ?? null
  if (evidence !== null) addGap(evidence.reason, evidence.fromMs, toMs, levels)
  if (levels === null) return
  if (isEmpty && levels > 1) {
    const { fromMs, deltas } = open
    // Something filled the book between the earlier empty snapshot and this one.
    if (progress.empty !== null) contradict(progress, progress.empty, progress.empty.levels, addGap)
    progress.empty = { fromMs, evidence, deltas, toMs, levels, fullSnapshots: progress.fullSnapshots }
  } else if (!isEmpty && levels > 1) contradict(progress, open, levels, addGap)
  else if (!isEmpty) progress.snapshotsConfirmed++
}

/** Ends the evidence of a book after its last record. If evidence of a loss is still open, adds an inferred gap, unless
 *  the book is lost. `holeMs` is the first sequence hole after the last record; undefined if there is none. `toMs` is
 *  the end of the gap; null if the gap stays open. */
export function endPending(
  progress: Progress,
  { trust }: Pick<OrderBook, 'trust'>,
  holeMs: number | undefined,
  addGap: AddGap,
  toMs: number | null = null,
): void {
  closeSnapshot(progress, addGap)
  const { empty } = progress
  const continues = empty !== null && (progress.deltas > empty.deltas || progress.fullSnapshots > empty.fullSnapshots)
  if (continues) contradict(progress, empty, empty.levels, addGap)
  if (!isKnown(trust)) return
  const { evidence } = progress
  if (evidence !== null) addGap(evidence.reason, evidence.fromMs, toMs, null)
  else if (holeMs !== undefined) addGap('sequence_hole', holeMs, toMs, null)
}

function contradict(
  progress: Progress,
  { fromMs, evidence, toMs }: BeforeSnapshot & { toMs: number },
  levels: number,
  addGap: AddGap,
): void {
  progress.snapshotsContradicted++
  if (evidence === null) addGap('snapshot_contradicts', fromMs, toMs, levels)
}
