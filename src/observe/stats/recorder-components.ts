// Derives components from the recorder's last status: the recorder itself, which may be another process, and each venue
// that it records.

import type { VenueStatus } from '../../record/status/recorder-status.ts'
import type { SeenRecorder } from '../../record/status/status-file.ts'
import type { Component, State } from './component.ts'

const STATES: Record<SeenRecorder['state'], State> = {
  starting: 'ok',
  recording: 'ok',
  catching_up: 'degraded',
  disk_full: 'degraded',
  stopping: 'ok',
  stopped: 'idle',
  gone: 'down',
}

/** Returns the components; none if no recorder ever ran on the data folder. */
export function recorderComponents(seen: SeenRecorder | null): Component[] {
  if (seen === null) return []
  const { state, ageMs, status } = seen
  const { segments, loading, disk } = status
  const hasProblem = STATES[state] === 'ok' && status.problems.length > 0
  const recorder: Component = {
    name: 'recorder',
    status: hasProblem ? 'degraded' : STATES[state],
    figures: {
      status_age_seconds: Math.round(ageMs) / 1_000,
      problems: status.problems.length,
      segments_open: segments.open,
      segments_waiting: segments.waiting,
      segment_bytes: segments.bytes_written,
      unwritten_bytes: segments.bytes_unwritten,
      queued_bytes: loading.queued_bytes,
      frames_dropped: segments.frames_dropped,
      commits: loading.commits,
      records_added: loading.records_added,
      lag_ms: loading.lag_ms,
      lag_ms_max: loading.lag_ms_max,
      disk_free_bytes: disk.free_bytes,
      clock_jumps: status.clock_jumps,
    },
  }
  // The connections in the status of a process that has ended no longer exist.
  if (state === 'gone' || state === 'stopped') return [recorder]
  return [recorder, ...Object.entries(status.venues).map(([venue, each]) => venueComponent(venue, each))]
}

function venueComponent(venue: string, status: VenueStatus): Component {
  const { connections, connections_wanted: wanted, markets_left_out: leftOut } = status
  const isShort = connections < wanted || leftOut > 0
  return {
    name: `recorder_${venue}`,
    status: wanted > 0 && connections === 0 ? 'down' : isShort ? 'degraded' : 'ok',
    figures: {
      connections,
      connections_wanted: wanted,
      markets: status.markets,
      markets_left_out: leftOut,
      books: status.books,
      books_lost: status.books_lost,
      frames: status.frames,
      frames_per_second: status.frames_per_second,
      silence_ms: status.silence_ms,
      data_silence_ms: status.data_silence_ms,
      message_age_ms: status.message_age_ms,
      message_age_ms_max: status.message_age_ms_max,
      reconnects: sumOf(status.reconnects),
      connect_failures: status.connect_failures,
      gaps: sumOf(status.gaps),
      snapshots_missing: status.snapshots_missing,
      unknown_frames: sumOf(status.unknown),
      audits_exact: status.audits['exact'] ?? 0,
      audits_consistent: status.audits['consistent'] ?? 0,
      audits_inconsistent: status.audits['inconsistent'] ?? 0,
      audits_undecidable: status.audits['undecidable'] ?? 0,
      contradictions: sumOf(status.contradictions),
    },
  }
}

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, each) => sum + each, 0)
