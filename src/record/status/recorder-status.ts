// The status that the recorder writes each second to DIR/recorder/status.json. The server and people read it.

import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { RecorderFigures, VenueFigures } from './recorder-figures.ts'

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

export function statusOf(figures: RecorderFigures, moment: StatusMoment) {
  const { nowMs, before } = moment
  const seconds = before === null ? 0 : (nowMs - before.updated_at) / 1_000
  const venues = VENUES.filter((venue) => moment.venues.includes(venue)).map((venue) => {
    const frames = figures.venues[venue].frames - (before?.venues[venue]?.frames ?? 0)
    const perSecond = seconds > 0 ? Math.round((frames / seconds) * 10) / 10 : 0
    return [venue, venueStatus(figures.venues[venue], nowMs, perSecond)]
  })
  return {
    pid: moment.pid,
    version: moment.version,
    recorder_id: moment.recorderId,
    started_at: figures.startedMs,
    updated_at: nowMs,
    state: moment.state,
    /** A sentence for each current problem. */
    problems: [...figures.problems.values()],
    venues: Object.fromEntries(venues) as Partial<Record<Venue, VenueStatus>>,
    segments: {
      open: figures.segmentsOpen,
      bytes_written: figures.segmentBytes,
      bytes_unwritten: figures.unwrittenBytes,
      waiting: figures.segmentsWaiting,
      removed: figures.segmentsRemoved,
      frames_dropped: figures.framesDropped,
    },
    loading: {
      queued_bytes: figures.queuedBytes,
      commits: figures.commits,
      records_added: figures.recordsAdded,
      last_commit_at: figures.lastCommitMs,
      /** Time from the arrival of the oldest frame in the last commit to the end of the commit, and the largest of the
       *  last 60 commits. */
      lag_ms: roundedMs(figures.lagsMs.at(-1) ?? null),
      lag_ms_max: figures.lagsMs.length === 0 ? null : Math.round(Math.max(...figures.lagsMs)),
    },
    disk: { free_bytes: moment.diskFreeBytes, is_full: figures.isDiskFull },
    clock_jumps: figures.clockJumps,
  }
}

function venueStatus(figures: VenueFigures, nowMs: number, framesPerSecond: number) {
  const { lastScanMs: last_scan_at, ...discovery } = figures.discovery
  const since = (ms: number | null) => (ms === null ? null : Math.max(0, Math.round(nowMs - ms)))
  return {
    connections: figures.connectionsOpen,
    connections_wanted: figures.connectionsWanted,
    markets: figures.markets,
    markets_left_out: figures.marketsLeftOut,
    books: figures.books,
    books_lost: figures.booksLost,
    frames: figures.frames,
    bytes: figures.bytes,
    /** Average since the previous status. */
    frames_per_second: framesPerSecond,
    /** Time since the last frame, and since the last frame with data. */
    silence_ms: since(figures.lastFrameMs),
    data_silence_ms: since(figures.lastDataMs),
    /** Time from the venue time of the last message to its arrival, and the largest of the last 60 s with messages. */
    message_age_ms: roundedMs(figures.messageAge.last),
    message_age_ms_max: roundedMs(figures.messageAge.max),
    reconnects: countsOf(figures.reconnects),
    connect_failures: figures.connectFailures,
    rotations: figures.rotations,
    gaps: countsOf(figures.gaps),
    unknown: countsOf(figures.unknown),
    skipped: countsOf(figures.skipped),
    snapshots_missing: figures.snapshotsMissing,
    rest_books: figures.restBooks,
    audits: { ...figures.audits } as Counts,
    contradictions: countsOf(figures.contradictions),
    discovery: { last_scan_at, ...discovery },
  }
}

const roundedMs = (ms: number | null) => (ms === null ? null : Math.round(ms))

type Counts = Record<string, number>
const countsOf = (counts: ReadonlyMap<string, number>): Counts => Object.fromEntries(counts)
