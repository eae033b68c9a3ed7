// The recorder's stats. All parts of the recorder add to them; the status and metrics are made from them.

import type { AuditResult } from '../../../storage/finding/audits.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'

/** Stats of a venue. Counts are since the start, unless a comment says "now". Times are Unix ms; null if the event
 *  has not happened yet. */
export class VenueStats {
  /** Connections that are wanted now, and how many of them are open. */
  connectionsWanted = 0
  connectionsOpen = 0
  /** Markets, and their tokens or tickers, that are wanted now. */
  markets = 0
  books = 0
  /** Books that are unknown now: without a snapshot since they were subscribed or lost. */
  booksLost = 0
  /** Markets that are wanted now and not taken, because a limit is reached or the disk is full. */
  marketsLeftOut = 0

  frames = 0
  bytes = 0
  /** Arrival of the last frame, and of the last frame with data. */
  lastFrameMs: number | null = null
  lastDataMs: number | null = null
  /** Age of messages at arrival, by the venue's time. It shows a slow link before the link breaks. */
  readonly messageAge = new MessageAge()
  /** Skipped frames such as heartbeats, by kind. */
  readonly skipped = new Map<string, number>()
  /** Frames that were not understood or are of an unknown kind. They are recorded nevertheless. */
  readonly unknown = new Map<string, number>()

  /** Reopened connections, by reason. */
  readonly reconnects = new Map<string, number>()
  connectFailures = 0
  rotations = 0
  /** Gap records, by reason. */
  readonly gaps = new Map<string, number>()
  /** Snapshots that did not come by their deadline. */
  snapshotsMissing = 0
  /** Books from REST that were written to segments. */
  restBooks = 0
  readonly audits: Record<AuditResult, number> = { exact: 0, consistent: 0, inconsistent: 0, undecidable: 0 }

  /** Contradictions in Kalshi's books, by reason. */
  readonly contradictions = new Map<string, number>()

  readonly discovery = new DiscoveryStats()
}

/** Stats of discovery. */
class DiscoveryStats {
  /** Time of the last scan; null before the first scan, and if there is nothing to find. */
  lastScanMs: number | null = null
  scans = 0
  requests = 0
  /** Responses with status 429. */
  limited = 0
  /** Responses that are not JSON or have an unexpected form. */
  garbage = 0
  /** Requests that failed after all attempts. */
  failed = 0
}

/** Number of commits whose lag is stored. */
const LAGS = 60

export class RecorderStats {
  readonly startedMs: number
  readonly venues: Readonly<Record<Venue, VenueStats>>

  segmentsOpen = 0
  /** Bytes of the compressed segments on disk. */
  segmentBytes = 0
  /** Frames that were dropped because the disk refused them. */
  framesDropped = 0
  /** Bytes that are received but not committed. `unwrittenBytes` counts the part that is not yet written to a
   *  segment. */
  queuedBytes = 0
  unwrittenBytes = 0
  /** Whole segments that wait to be loaded, because loading is behind or the last run was interrupted. */
  segmentsWaiting = 0

  commits = 0
  recordsAdded = 0
  lastCommitMs: number | null = null
  /** Time from the arrival of the oldest frame in a commit to the end of the commit, ms, of the last commits. */
  lagsMs: readonly number[] = []

  isDiskFull = false
  /** Whether loading catches up from the segments. */
  isBehind = false
  isStopping = false
  clockJumps = 0
  /** Segments removed after their retention. */
  segmentsRemoved = 0
  /** Current problems as sentences, by the name of the part that has the problem. A problem must be removed when it is
   *  over. */
  readonly problems = new Map<string, string>()

  constructor(startedMs: number) {
    this.startedMs = startedMs
    this.venues = Object.fromEntries(VENUES.map((venue) => [venue, new VenueStats()])) as Record<Venue, VenueStats>
  }

  addLag(ms: number): void {
    this.lagsMs = [...this.lagsMs, ms].slice(-LAGS)
  }
}

/** Adds to the count of a kind. */
export function count(counts: Map<string, number>, kind: string, by = 1): void {
  counts.set(kind, (counts.get(kind) ?? 0) + by)
}

const WINDOW_SECONDS = 60

/** An age up to this counts as transit time from the venue, not as a sign of a wrong clock. */
export const CLOCKS_AGREE_MS = 100

/** Age of messages at arrival, ms; negative if the venue's clock is ahead. */
export class MessageAge {
  last: number | null = null
  #oldest = new Peaks()
  /** The largest negated ages: their maximum is the negated smallest age. */
  #youngest = new Peaks()
  #assumedMs: number | null = null

  /** Adds the age of a message that arrived at `nowMs`. */
  add(ageMs: number, nowMs: number): void {
    this.last = ageMs
    this.#oldest.add(ageMs, nowMs)
    this.#youngest.add(-ageMs, nowMs)
  }

  /** Sets how far the venue's clock is assumed to be ahead until the first message, ms. */
  assume(aheadMs: number): void {
    this.#assumedMs = Math.min(-aheadMs, this.#assumedMs ?? 0)
  }

  /** Forgets all ages, because this machine's clock has jumped. */
  forget(): void {
    this.#assumedMs = null
    this.#oldest = new Peaks()
    this.#youngest = new Peaks()
  }

  /** Largest age of a message, ms, over the last 60 seconds that had messages; null before the first message. */
  get max(): number | null {
    return this.#oldest.max
  }

  /** The smallest age of a message, ms, over the last 60 seconds that had messages. Before the first message: the
   *  assumed age, or null if none is assumed. This machine's clock is ahead of the venue's by at most this value. */
  get min(): number | null {
    const { max } = this.#youngest
    return max === null ? this.#assumedMs : -max
  }

  /** How far this machine's clock is ahead of the venue's, ms; negative if it is behind; 0 if the clocks agree or no
   *  age is known. The value includes the transit time of the fastest message, so the clock may be ahead by less, or
   *  behind by more. */
  get clockAheadMs(): number {
    const { min } = this
    // The venue's times are cut off to whole ms.
    return min === null || (min >= 0 && min <= CLOCKS_AGREE_MS) ? 0 : min - 1
  }
}

/** The largest value of each second, for the last seconds that had values, including the current second. */
class Peaks {
  readonly #peaks = new Map<number, number>()

  add(value: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1_000)
    this.#peaks.set(second, Math.max(value, this.#peaks.get(second) ?? value))
    if (this.#peaks.size > WINDOW_SECONDS + 1) this.#peaks.delete(this.#peaks.keys().next().value!)
  }

  /** The largest value of the last seconds; null before the first value. */
  get max(): number | null {
    return this.#peaks.size === 0 ? null : Math.max(...this.#peaks.values())
  }
}

/** Returns the problem as a sentence; null if the clocks agree. `ageMs` is the smallest age of a message, null if
 *  unknown. */
export function clockProblem(venue: Venue, ageMs: number | null): string | null {
  if (ageMs === null || Math.abs(ageMs) <= CLOCKS_AGREE_MS) return null
  const apart = `${Math.round(Math.abs(ageMs))} ms`
  return ageMs < 0
    ? `The clock of this machine is ${apart} behind that of ${venue}, or more: set it`
    : `The clock of this machine is ${apart} ahead of that of ${venue}, or messages take that long`
}
