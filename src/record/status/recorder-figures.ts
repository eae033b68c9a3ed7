// What the recorder counts while it runs. Everybody who does something adds to it; nobody reads it but the status.

import { VENUES, type Venue } from '../../../storage/venue.ts'

export const AUDIT_RESULTS = ['exact', 'consistent', 'inconsistent', 'undecidable'] as const
export type AuditResult = (typeof AUDIT_RESULTS)[number]

/** Counts are since the start, unless `now` says otherwise. Times are Unix ms, null before the first. */
export class VenueFigures {
  /** Connections that are wanted now, and those of them that are open. */
  connectionsWanted = 0
  connectionsOpen = 0
  /** Markets, and their tokens or tickers, that are wanted now. */
  markets = 0
  books = 0
  /** Books that are unknown now: no snapshot came since the subscription or the loss. */
  booksLost = 0
  /** Markets that are wanted now and not taken, since a limit is reached or the disk is full. */
  marketsLeftOut = 0

  frames = 0
  bytes = 0
  /** Of any frame, and of one that carries data. */
  lastFrameMs: number | null = null
  lastDataMs: number | null = null
  /** How old messages are when they arrive, by the venue's time: shows a slow link before it breaks. */
  readonly messageAge = new MessageAge()
  /** Heartbeats, duplicates and the like, by their kind. */
  readonly skipped = new Map<string, number>()
  /** Frames that were not understood, or are of an unknown kind. They are recorded all the same. */
  readonly unknown = new Map<string, number>()

  /** Connections that were reopened, by the reason. */
  readonly reconnects = new Map<string, number>()
  connectFailures = 0
  rotations = 0
  /** Gap records, by the reason. */
  readonly gaps = new Map<string, number>()
  /** Snapshots that did not come by their deadline. */
  snapshotsMissing = 0
  /** Books of REST that stand in the segments. */
  restBooks = 0
  readonly audits: Record<AuditResult, number> = { exact: 0, consistent: 0, inconsistent: 0, undecidable: 0 }

  /** Books of Kalshi that contradicted themselves, by the reason. */
  readonly contradictions = new Map<string, number>()

  readonly discovery = new DiscoveryFigures()
}

/** What discovery asked and found. */
export class DiscoveryFigures {
  /** Null where nothing is to be found. */
  lastScanMs: number | null = null
  scans = 0
  requests = 0
  /** Answers with 429. */
  limited = 0
  /** Answers that are no JSON, or not of the form that they should have. */
  garbage = 0
  /** Questions that were given up after all attempts. */
  failed = 0
}

export class RecorderFigures {
  readonly startedMs: number
  readonly venues: Readonly<Record<Venue, VenueFigures>>

  segmentsOpen = 0
  /** Compressed, on the disk. */
  segmentBytes = 0
  /** Frames that no segment could take. */
  framesDropped = 0
  /** Received and not committed, and of that what waits to be written to a segment. */
  queuedBytes = 0
  unwrittenBytes = 0
  /** Whole segments that wait to be loaded, since loading is behind or the last run was cut off. */
  segmentsWaiting = 0

  commits = 0
  recordsAdded = 0
  lastCommitMs: number | null = null
  /** From the arrival of the oldest frame of a commit to its end. */
  readonly lag = new RecentMax(60)

  isDiskFull = false
  /** Loading catches up from the segments. */
  isBehind = false
  isStopping = false
  clockJumps = 0
  /** Segments removed after their retention. */
  segmentsRemoved = 0
  /** What is wrong now, by a name that says where; a sentence each. Remove it when it is right again. */
  readonly problems = new Map<string, string>()

  constructor(startedMs: number) {
    this.startedMs = startedMs
    this.venues = Object.fromEntries(VENUES.map((venue) => [venue, new VenueFigures()])) as Record<Venue, VenueFigures>
  }
}

/** Adds to one of the counts by kind. */
export function count(counts: Map<string, number>, kind: string, by = 1): void {
  counts.set(kind, (counts.get(kind) ?? 0) + by)
}

const SECONDS_KEPT = 60

/** Ages below this are taken for the way from the venue, not for a wrong clock. */
export const CLOCKS_AGREE_MS = 100

/** Ms, below zero where the venue's clock is ahead. */
export class MessageAge {
  last: number | null = null
  #oldest = new Peaks()
  /** Of ages with the other sign. */
  #youngest = new Peaks()
  #assumedMs: number | null = null

  /** A message that arrived at `nowMs`. */
  add(ageMs: number, nowMs: number): void {
    this.last = ageMs
    this.#oldest.add(ageMs, nowMs)
    this.#youngest.add(-ageMs, nowMs)
  }

  /** What holds until the first message: by how much the venue's clock was ahead of ours. */
  assume(aheadMs: number): void {
    this.#assumedMs = Math.min(-aheadMs, this.#assumedMs ?? 0)
  }

  /** Our clock has jumped: what was measured before says nothing of it. */
  forget(): void {
    this.#assumedMs = null
    this.#oldest = new Peaks()
    this.#youngest = new Peaks()
  }

  /** Of the last 60 s in which something arrived; null before the first. */
  get max(): number | null {
    return this.#oldest.max
  }

  /** The least of the same time. It is at least what our clock is ahead of the venue's. */
  get min(): number | null {
    const { max } = this.#youngest
    return max === null ? this.#assumedMs : -max
  }

  /** What our clock is ahead of the venue's, or, below zero, behind it; never more than it is. 0 where they agree. */
  get clockAheadMs(): number {
    const { min } = this
    // The venue's time is in whole ms, and a part of one is cut off.
    return min === null || (min >= 0 && min <= CLOCKS_AGREE_MS) ? 0 : min - 1
  }
}

/** The largest of each second. */
class Peaks {
  #second = Number.NaN
  #peak = Number.NEGATIVE_INFINITY
  readonly #peaks = new RecentMax(SECONDS_KEPT)

  add(value: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1_000)
    if (second !== this.#second && this.#peak !== Number.NEGATIVE_INFINITY) {
      this.#peaks.add(this.#peak)
      this.#peak = Number.NEGATIVE_INFINITY
    }
    this.#second = second
    this.#peak = Math.max(this.#peak, value)
  }

  /** Null before the first. */
  get max(): number | null {
    const most = Math.max(this.#peaks.max ?? Number.NEGATIVE_INFINITY, this.#peak)
    return most === Number.NEGATIVE_INFINITY ? null : most
  }
}

/** The last value, and the largest of the last few. */
export class RecentMax {
  readonly #values: number[] = []
  readonly #size: number
  #next = 0

  constructor(size: number) {
    this.#size = size
  }

  add(value: number): void {
    this.#values[this.#next] = value
    this.#next = (this.#next + 1) % this.#size
  }

  /** Null before the first. */
  get last(): number | null {
    return this.#values[(this.#next + this.#size - 1) % this.#size] ?? null
  }

  get max(): number | null {
    return this.#values.length === 0 ? null : Math.max(...this.#values)
  }
}
