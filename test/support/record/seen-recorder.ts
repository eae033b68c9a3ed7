// A recorder as a server reads it from its status file, for tests of what the server shows.

import { count, RecorderFigures } from '../../../src/record/status/recorder-figures.ts'
import { statusOf } from '../../../src/record/status/recorder-status.ts'
import type { SeenRecorder, SeenState } from '../../../src/record/status/status-file.ts'

const NOW = 1_786_000_000_000

/** A recorder of Kalshi with one number of each kind. */
export function seenRecorder(
  state: SeenState,
  change: (figures: RecorderFigures) => void = () => undefined,
): SeenRecorder {
  const figures = new RecorderFigures(NOW - 60_000)
  const { kalshi } = figures.venues
  Object.assign(kalshi, { connectionsOpen: 2, connectionsWanted: 2, markets: 7, frames: 900, lastFrameMs: NOW - 1_500 })
  count(kalshi.gaps, 'sequence_hole', 3)
  kalshi.audits.exact = 5
  count(kalshi.contradictions, 'crossed', 2)
  figures.addLag(4_200)
  change(figures)
  const said = state === 'gone' ? 'recording' : state
  const moment = { nowMs: NOW, pid: 1, version: '0', recorderId: 'a', venues: ['kalshi'], before: null } as const
  return { state, ageMs: 400, status: statusOf(figures, { ...moment, state: said, diskFreeBytes: 9 }) }
}
