// The state of one commit that goes through the segments: the segments whose turn is still to come, the batch that is
// not stored yet, and the counts to report.

import { addCounts } from '../capture/add-counts.ts'
import type { LiveBatch } from './live-batch.ts'
import type { CommitReport } from './live-loading.ts'
import type { LineCounts } from './live-segment.ts'
import type { LiveSource } from './live-source.ts'

type StoredCounts = LineCounts & Pick<CommitReport, 'recordsAdded' | 'audits' | 'lagMs'>

export class CommitRound {
  /** Segments whose turn is still to come, in order. */
  readonly sources: LiveSource[]
  batch: LiveBatch<LiveSource> | undefined
  /** Counts of the batches stored so far. */
  readonly totals: StoredCounts = {
    messages: 0,
    gaps: 0,
    rejected: 0,
    skipped: {},
    recordsAdded: 0,
    audits: 0,
    lagMs: null,
  }

  constructor(sources: LiveSource[]) {
    this.sources = sources
  }

  get isOver(): boolean {
    return this.sources.length === 0 && this.batch === undefined
  }

  /** Adds the stored batch to the counts. */
  stored(nowMs: number): void {
    const { counts, committed, audits, firstReceivedMs } = this.batch!
    const { totals } = this
    totals.messages += counts.messages
    totals.gaps += counts.gaps
    totals.rejected += counts.rejected
    addCounts(totals.skipped, counts.skipped)
    totals.recordsAdded += committed.recordsAdded
    totals.audits += audits
    if (Number.isFinite(firstReceivedMs)) totals.lagMs = Math.max(totals.lagMs ?? 0, nowMs - firstReceivedMs)
    this.batch = undefined
  }
}
