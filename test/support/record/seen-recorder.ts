// A recorder as a server reads it from its status file, for tests of what the server shows.

import { count, RecorderStats } from '../../../src/record/status/recorder-stats.ts'
import { statusOf } from '../../../src/record/status/recorder-status.ts'
import type { SeenRecorder, SeenState } from '../../../src/record/status/status-file.ts'

const NOW = 1_786_000_000_000

/** Returns a recorder of Kalshi whose stats have a value of each kind. `change` may set more of them. */
export function seenRecorder(state: SeenState, change: (stats: RecorderStats) => void = () => undefined): SeenRecorder {
  const stats = new RecorderStats(NOW - 60_000)
  const { kalshi } = stats.venues
  Object.assign(kalshi, { connectionsOpen: 2, connectionsWanted: 2, markets: 7, frames: 900, lastFrameMs: NOW - 1_500 })
  count(kalshi.gaps, 'sequence_hole', 3)
  kalshi.audits.exact = 5
  count(kalshi.contradictions, 'crossed', 2)
  stats.addLag(4_200)
  change(stats)
  const recorderState = state === 'gone' ? 'recording' : state
  const moment = { nowMs: NOW, pid: 1, version: '0', recorderId: 'a', venues: ['kalshi'], before: null } as const
  return { state, ageMs: 400, status: statusOf(stats, { ...moment, state: recorderState, diskFreeBytes: 9 }) }
}
