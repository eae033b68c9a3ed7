// The status that the recorder writes each second to DIR/recorder/status.json. The server and people read it.

import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { RecorderStats, VenueStats } from './recorder-stats.ts'

/** Keys and units are part of the program's interface. Times are Unix ms, null if nothing has happened yet. */
export type RecorderStatus = ReturnType<typeof statusOf>
export type VenueStatus = ReturnType<typeof venueStatus>

/** `starting` until the markets of each venue are subscribed once; `stopped` is the last state after a normal stop. */
export const RECORDER_STATES = ['starting', 'recording', 'catching_up', 'disk_full', 'stopping', 'stopped'] as const
export type RecorderState = (typeof RECORDER_STATES)[number]

export type StatusMoment = {
  nowMs: number
  pid: number
  version: string
  recorderId: string
  /** The recorded venues. */
  venues: readonly Venue[]
  state: RecorderState
  diskFreeBytes: number | null
  /** The previous status; null if this is the first. */
  before: { updated_at: number; venues: Partial<Record<Venue, { frames: number }>> } | null
}

export function statusOf(stats: RecorderStats, moment: StatusMoment) {
  const { nowMs, before } = moment
  const seconds = before === null ? 0 : (nowMs - before.updated_at) / 1_000
  const venues = VENUES.filter((venue) => moment.venues.includes(venue)).map((venue) => {
    const frames = stats.venues[venue].frames - (before?.venues[venue]?.frames ?? 0)
    const perSecond = seconds > 0 ? Math.round((frames / seconds) * 10) / 10 : 0
    return [venue, venueStatus(stats.venues[venue], nowMs, perSecond)]
  })
  return {
    pid: moment.pid,
    version: moment.version,
    recorder_id: moment.recorderId,
    started_at: stats.startedMs,
    updated_at: nowMs,
    state: moment.state,
    /** A sentence for each current problem. */
    problems: [...stats.problems.values()],
    venues: Object.fromEntries(venues) as Partial<Record<Venue, VenueStatus>>,
    segments: {
      open: stats.segmentsOpen,
      bytes_written: stats.segmentBytes,
      bytes_unwritten: stats.unwrittenBytes,
      waiting: stats.segmentsWaiting,
      removed: stats.segmentsRemoved,
      frames_dropped: stats.framesDropped,
    },
    loading: {
      queued_bytes: stats.queuedBytes,
      commits: stats.commits,
      records_added: stats.recordsAdded,
      last_commit_at: stats.lastCommitMs,
      /** Time from the arrival of the oldest frame in the last commit to the end of the commit, and the largest of the
       *  last 60 commits. */
      lag_ms: roundedMs(stats.lagsMs.at(-1) ?? null),
      lag_ms_max: stats.lagsMs.length === 0 ? null : Math.round(Math.max(...stats.lagsMs)),
    },
    disk: { free_bytes: moment.diskFreeBytes, is_full: stats.isDiskFull },
    clock_jumps: stats.clockJumps,
  }
}

function venueStatus(stats: VenueStats, nowMs: number, framesPerSecond: number) {
  const { lastScanMs: last_scan_at, ...discovery } = stats.discovery
  const since = (ms: number | null) => (ms === null ? null : Math.max(0, Math.round(nowMs - ms)))
  return {
    connections: stats.connectionsOpen,
    connections_wanted: stats.connectionsWanted,
    markets: stats.markets,
    markets_left_out: stats.marketsLeftOut,
    books: stats.books,
    books_lost: stats.booksLost,
    frames: stats.frames,
    bytes: stats.bytes,
    /** Average since the previous status. */
    frames_per_second: framesPerSecond,
    /** Time since the last frame, and since the last frame with data. */
    silence_ms: since(stats.lastFrameMs),
    data_silence_ms: since(stats.lastDataMs),
    /** Time from the venue time of the last message to its arrival, and the largest of the last 60 s with messages. */
    message_age_ms: roundedMs(stats.messageAge.last),
    message_age_ms_max: roundedMs(stats.messageAge.max),
    reconnects: countsOf(stats.reconnects),
    connect_failures: stats.connectFailures,
    rotations: stats.rotations,
    gaps: countsOf(stats.gaps),
    unknown: countsOf(stats.unknown),
    skipped: countsOf(stats.skipped),
    snapshots_missing: stats.snapshotsMissing,
    rest_books: stats.restBooks,
    audits: { ...stats.audits } as Counts,
    contradictions: countsOf(stats.contradictions),
    discovery: { last_scan_at, ...discovery },
  }
}

const roundedMs = (ms: number | null) => (ms === null ? null : Math.round(ms))

type Counts = Record<string, number>
const countsOf = (counts: ReadonlyMap<string, number>): Counts => Object.fromEntries(counts)
