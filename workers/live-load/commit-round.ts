// One commit as it goes through the segments: those whose turn is still to come, what could not be stored yet, and what
// is to be told of all of it.

import { addCounts } from '../capture/add-counts.ts'
import type { LiveBatch } from './live-batch.ts'
import type { CommitReport } from './live-loading.ts'
import type { LineCounts } from './live-segment.ts'
import type { LiveSource } from './live-source.ts'

type Told = LineCounts & Pick<CommitReport, 'recordsAdded' | 'audits' | 'lagMs'>

export class CommitRound {
  /** In their order. */
  readonly sources: LiveSource[]
  batch: LiveBatch<LiveSource> | undefined
  /** Of what is stored. */
  readonly told: Told = { messages: 0, gaps: 0, rejected: 0, skipped: {}, recordsAdded: 0, audits: 0, lagMs: null }

  constructor(sources: LiveSource[]) {
    this.sources = sources
  }

  get isOver(): boolean {
    return this.sources.length === 0 && this.batch === undefined
  }

  /** Notes that the batch is stored. */
  stored(nowMs: number): void {
    const { counts, committed, audits, firstReceivedMs } = this.batch!
    const { told } = this
    told.messages += counts.messages
    told.gaps += counts.gaps
    told.rejected += counts.rejected
    addCounts(told.skipped, counts.skipped)
    told.recordsAdded += committed.recordsAdded
    told.audits += audits
    if (Number.isFinite(firstReceivedMs)) told.lagMs = Math.max(told.lagMs ?? 0, nowMs - firstReceivedMs)
    this.batch = undefined
  }
}
