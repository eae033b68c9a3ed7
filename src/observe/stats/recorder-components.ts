// The recorder as components of the service: itself, and each venue that it records. It may be another process, so its
// state is what it last said of itself.

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

/** None where no recorder ever ran on the data folder. */
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
  // What a process that has ended said of its connections is not true any more.
  if (state === 'gone' || state === 'stopped') return [recorder]
  return [recorder, ...Object.entries(status.venues).map(([venue, figures]) => venueComponent(venue, figures))]
}

function venueComponent(venue: string, figures: VenueStatus): Component {
  const { connections, connections_wanted: wanted, markets_left_out: leftOut } = figures
  const isShort = connections < wanted || leftOut > 0
  return {
    name: `recorder_${venue}`,
    status: wanted > 0 && connections === 0 ? 'down' : isShort ? 'degraded' : 'ok',
    figures: {
      connections,
      connections_wanted: wanted,
      markets: figures.markets,
      markets_left_out: leftOut,
      books: figures.books,
      books_lost: figures.books_lost,
      frames: figures.frames,
      frames_per_second: figures.frames_per_second,
      silence_ms: figures.silence_ms,
      data_silence_ms: figures.data_silence_ms,
      message_age_ms: figures.message_age_ms,
      message_age_ms_max: figures.message_age_ms_max,
      reconnects: sumOf(figures.reconnects),
      connect_failures: figures.connect_failures,
      gaps: sumOf(figures.gaps),
      snapshots_missing: figures.snapshots_missing,
      unknown_frames: sumOf(figures.unknown),
      audits_exact: figures.audits['exact'] ?? 0,
      audits_consistent: figures.audits['consistent'] ?? 0,
      audits_inconsistent: figures.audits['inconsistent'] ?? 0,
      audits_undecidable: figures.audits['undecidable'] ?? 0,
      contradictions: sumOf(figures.contradictions),
    },
  }
}

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, each) => sum + each, 0)
