// Finds the last-seen time of each book in the segments of a recorder. The newest segment of each connection names
// the connection's books. It also has the start of the gap of each lost book, and the time up to which messages were
// received.

import { statSync } from 'node:fs'
import { NS_PER_MS } from '../../../storage/units.ts'
import { byVenue, VENUES, type Venue } from '../../../storage/venue.ts'
import {
  findSegment,
  loadedFolder,
  newFolder,
  PART_END,
  type SegmentName,
  segmentsBelow,
} from '../../../workers/segment/segment-folder.ts'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { SEGMENT_START, segmentText, textFromEnd } from '../../../workers/segment/segment-text.ts'
import { isNear } from '../connection/frame-times.ts'
import { missingBefore } from '../connection/gap-lines.ts'
import type { LastSeen } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { lastSnapshots, VENUE_TIME } from './last-snapshots.ts'

export type SeenBooks = Record<Venue, Map<BookId, LastSeen>>

/** `<venue>/<date>/<time>-<recorder>-<connection>-<socket>[-<count>].ndjson.zst` */
const ANY_VENUE = VENUES.join('|')
const NAME = new RegExp(
  String.raw`^(${ANY_VENUE})/(\d{4}-\d{2}-\d{2}/\d{6})-(.+)-((?:${ANY_VENUE})-\d+)-(\d+)(?:-\d+)?\.ndjson`,
)
/** Matches the start of a frame from a socket. A REST body has `"source"` in place of `"mono_ns"`. It is skipped,
 *  because its time says nothing about what the socket received. */
const FRAME_START = /^\{"recv_ns":(\d+),"mono_ns"/
/** How many of the last frames are searched for the latest venue time. */
const FRAMES_MAX = 1_000
/** Marks a line with a Polymarket book. Such lines are skipped, because their time is that of the book's last change,
 *  not of the message. */
const BOOK_MARK = '\\"bids\\"'
const ALL_CARRIED = '"state":"carries","all":true'
const LINE_FEED = 0x0a
/** Third byte of a line with a frame, `{"recv_ns"`. It differs in lines of gaps, `{"type"`, and control lines,
 *  `{"backbook"`. */
const FRAME_BYTE = 0x72
const decoder = new TextDecoder()

/** Returns the last-seen times of all books. Skips a segment that cannot be read; gaps then start at the end of the
 *  connection's previous segment. */
export function lastSeenIn(folder: string, recorder: string): SeenBooks {
  const lastSeen: SeenBooks = byVenue(() => new Map())
  for (const ofVenue of Map.groupBy(segmentsOf(folder, recorder), ({ venue }) => venue).values()) {
    const begins = ofVenue.filter(({ isBegin }) => isBegin).map(({ began }) => began)
    const last = begins.toSorted().at(-1) ?? ''
    const newest = ofVenue.filter(({ began }) => began >= last)
    for (const segments of Map.groupBy(newest, ({ connection }) => connection).values()) {
      segments.sort((a, b) => (a.began === b.began ? changedMs(b) - changedMs(a) : a.began < b.began ? 1 : -1))
      addLastSeen(lastSeen, firstReadable(segments))
    }
  }
  return lastSeen
}

/** Adds the last-seen times from the newest segment of a connection. */
export function addLastSeen(lastSeen: SeenBooks, newest: SegmentEnd | undefined): void {
  if (newest === undefined || newest.isReplay) return
  for (const book of newest.books) {
    const { aheadMs, lost, snapshots } = newest
    // Starts the gap after the last snapshot, because that snapshot would end a gap that starts earlier.
    const wholeMs = Math.max(newest.untilMs, (snapshots.get(book) ?? Number.NEGATIVE_INFINITY) + 1)
    const untilMs = lost.get(book) ?? wholeMs
    const beforeMs = newest.before.get(book) ?? missingBefore(untilMs, newest.untilMs, -aheadMs)
    const before = lastSeen[newest.venue].get(book)
    if (before === undefined || before.untilMs < untilMs)
      lastSeen[newest.venue].set(book, { market: null, untilMs, beforeMs, aheadMs })
  }
}

/** A segment. `isBegin`: a process wrote the segment when it started, with the last-seen times from all older
 *  segments. */
type SegmentFile = { venue: Venue; began: string; connection: string; isBegin: boolean; path: string }

const changedMs = ({ path }: SegmentFile): number => statSync(path).mtimeMs

function segmentsOf(folder: string, recorder: string): SegmentFile[] {
  return [loadedFolder(folder), newFolder(folder)].flatMap((place) =>
    segmentsBelow(place).flatMap((name) => segmentFileOf(place, name, recorder) ?? []),
  )
}

function segmentFileOf(place: string, name: SegmentName, recorder: string): SegmentFile | undefined {
  const [, venue, began = '', by, connection = '', socket] = NAME.exec(name) ?? []
  const path = by === recorder ? findSegment(place, name) : undefined
  if (path === undefined) return undefined
  // A segment that was cut off by a kill does not count, because it is not complete.
  const isBegin = connection === `${venue}-0` && socket === '1' && !path.endsWith(PART_END)
  return { venue: venue as Venue, began, connection, isBegin, path }
}

/** What the end of a segment says about the books of its connection. */
export type SegmentEnd = {
  venue: Venue
  /** Whether the segment records a replay. Its times are then not from this machine's clock. */
  isReplay: boolean
  /** Whether the segment names its books. The segment of a standby does not. */
  isOfBooks: boolean
  /** Time up to which no message is missing, except messages of lost books; Unix ms. */
  untilMs: number
  /** Whether `untilMs` is the opening time of a socket by this machine's clock. Times in frames then replace it. */
  isOurs: boolean
  books: Set<BookId>
  /** Starts of open gaps, Unix ms. */
  lost: Map<BookId, number>
  /** Times of snapshots since `untilMs`, Unix ms. */
  snapshots: Map<BookId, number>
  /** Starts of additional gaps before the last snapshot, Unix ms. */
  before: Map<BookId, number>
  /** How far the venue's clock was ahead of this machine's, ms. */
  aheadMs: number
}

/** Reads the newest segment that names its books. `segments` are sorted, newest first. */
function firstReadable(segments: readonly SegmentFile[]): SegmentEnd | undefined {
  const standbys: Uint8Array[][] = []
  for (const { venue, path } of segments) {
    const texts: Uint8Array[] = []
    const state = readSegment(venue, path, texts)
    if (state === undefined) {
      standbys.unshift(texts.reverse())
      continue
    }
    for (const standby of standbys) followStandby(state, standby)
    return state
  }
  return undefined
}

/** Adds the segment of a standby that did not take over. The standby's messages are stored too, so its last snapshot
 *  of a book splits the gap of the primary socket in two. */
function followStandby(state: SegmentEnd, texts: readonly Uint8Array[]): void {
  for (const line of texts.flatMap((text) => [...otherLines(text)])) {
    if (line['type'] !== 'gap') continue
    const { closed_by: closedBy, to } = line['msg'] as GapLine['msg']
    const wasLostAgain = state.lost.get(String(line['asset_id'] ?? line['market']))! > to
    if (closedBy !== 'end' && !wasLostAgain) followGap(state, line)
  }
  addSnapshots(state, texts, true)
}

/** Reads a segment. Returns undefined if it has no header or names no books. Adds its texts to `texts`, last first,
 *  back to the last list of all books. If the file is damaged, reads the part before the damage. */
function readSegment(venue: Venue, path: string, texts: Uint8Array[]): SegmentEnd | undefined {
  const state = emptyState(venue)
  let isWhole = false
  let latest: LatestTime | undefined
  try {
    for (const text of textFromEnd(path)) {
      latest ??= latestTime(text)
      if (!isWhole) texts.push(text)
      isWhole ||= Buffer.from(text.buffer, text.byteOffset, text.length).includes(ALL_CARRIED)
      if (isWhole && latest !== undefined) break
    }
    const [header] = segmentText(path, { ...SEGMENT_START })
    if (header !== undefined) followHeader(state, header)
  } catch {
    // Uses what was read so far.
  }
  return stateIn(state, texts.toReversed(), latest)
}

/** Does the same as `readSegment` for a segment whose whole text is given. */
export function readWholeSegment(venue: Venue, text: Uint8Array): SegmentEnd | undefined {
  const state = emptyState(venue)
  followHeader(state, text)
  return stateIn(state, [text], latestTime(text))
}

const emptyState = (venue: Venue): SegmentEnd => ({
  ...{ venue, isReplay: false, isOfBooks: false, untilMs: Number.NaN, isOurs: false, books: new Set() },
  ...{ lost: new Map(), snapshots: new Map(), before: new Map(), aheadMs: 0 },
})

function stateIn(
  state: SegmentEnd,
  texts: readonly Uint8Array[],
  latest: LatestTime | undefined,
): SegmentEnd | undefined {
  for (const text of texts) for (const line of otherLines(text)) follow(state, line)
  if (latest !== undefined) {
    state.untilMs = state.isOurs ? latest.latestMs : Math.max(state.untilMs, latest.latestMs)
    state.aheadMs = latest.aheadMs
  }
  if (Number.isNaN(state.untilMs) || !state.isOfBooks) return undefined
  addSnapshots(state, texts, false)
  return state
}

/** Adds the last snapshots in `texts`. `isOfOther`: the texts are from another socket than the primary one. */
function addSnapshots(state: SegmentEnd, texts: readonly Uint8Array[], isOfOther: boolean): void {
  for (const [book, { atMs, isOfRest }] of lastSnapshots(state.venue, texts, state.untilMs)) {
    if (atMs < (state.snapshots.get(book) ?? atMs)) continue
    state.snapshots.set(book, atMs)
    if (isOfRest || isOfOther) state.before.set(book, state.untilMs)
    else state.before.delete(book)
  }
}

/** Yields the lines that are not frames. */
function* otherLines(text: Uint8Array): Generator<Record<string, unknown>> {
  for (let start = 0; start < text.length; start = text.indexOf(LINE_FEED, start) + 1) {
    if (text[start + 2] === FRAME_BYTE) continue
    yield JSON.parse(decoder.decode(text.subarray(start, text.indexOf(LINE_FEED, start))))
  }
}

type LatestTime = { latestMs: number; aheadMs: number }

/** Returns the latest venue time in the last frames, and how far the venue's clock was ahead. Arrival times do not
 *  count, because a lost message may have been sent before another message arrived. Returns undefined if no frame has
 *  a venue time near its arrival time. */
function latestTime(text: Uint8Array): LatestTime | undefined {
  let latestMs = Number.NEGATIVE_INFINITY
  let aheadMs = Number.NEGATIVE_INFINITY
  let left = FRAMES_MAX
  for (let end = text.length - 1; end > 0 && left > 0; ) {
    const start = text.lastIndexOf(LINE_FEED, end - 1) + 1
    const line = text[start + 2] === FRAME_BYTE ? decoder.decode(text.subarray(start, end)) : ''
    const [, receivedNs] = FRAME_START.exec(line) ?? []
    if (receivedNs !== undefined && !line.includes(BOOK_MARK)) {
      left--
      const receivedMs = Number(BigInt(receivedNs) / NS_PER_MS)
      for (const [, printed] of line.matchAll(VENUE_TIME)) {
        const venueMs = Number(printed)
        latestMs = Math.max(latestMs, isNear(venueMs, receivedMs) ? venueMs : Math.min(venueMs, receivedMs))
        if (isNear(venueMs, receivedMs)) aheadMs = Math.max(aheadMs, venueMs - receivedMs)
      }
    }
    end = start - 1
  }
  return Number.isFinite(aheadMs) ? { latestMs, aheadMs } : undefined
}

function followHeader(state: SegmentEnd, text: Uint8Array): void {
  const line = JSON.parse(decoder.decode(text.subarray(0, text.indexOf(LINE_FEED)))) as Record<string, unknown>
  state.isReplay = line['clock'] === 'replay'
  state.untilMs = Number(BigInt(String(line['at_ns'])) / NS_PER_MS)
}

/** Applies a gap line. If no snapshot closed the gap, the book stays lost from the end of this gap on. */
function followGap(
  { lost, before, snapshots }: SegmentEnd,
  { asset_id: token, market, msg }: Record<string, unknown>,
): void {
  const book = String(token ?? market)
  const { closed_by: closedBy, from, to } = (msg ?? {}) as Record<string, unknown>
  before.delete(book)
  if (closedBy === 'end') lost.set(book, Number(to))
  else {
    lost.delete(book)
    // The snapshot that closes the gap is stored with this time or a later one.
    snapshots.set(book, Number(from))
  }
}

/** Applies a line that is not a frame. */
function follow(state: SegmentEnd, line: Record<string, unknown>): void {
  if (line['type'] === 'gap') followGap(state, line)
  if (line['backbook'] !== 'state') return
  const books = Array.isArray(line['books']) ? line['books'].map(String) : []
  if (line['all'] === true) {
    state.books.clear()
    state.lost.clear()
    state.snapshots.clear()
    state.before.clear()
    state.untilMs = Number(line['until'] ?? state.untilMs)
    state.isOurs = line['ours'] === true
    state.aheadMs = Number(line['ahead'] ?? state.aheadMs)
  }
  if (line['state'] === 'carries') {
    state.isOfBooks = true
    for (const book of books) state.books.add(book)
  }
  if (line['state'] === 'drops') {
    for (const known of [state.books, state.lost, state.before, state.snapshots])
      for (const book of books) known.delete(book)
  }
  addTimes(state.lost, line['lost'])
  addTimes(state.before, line['before'])
  addTimes(state.snapshots, line['snapshots'])
}

function addTimes(to: Map<BookId, number>, times: unknown): void {
  for (const [book, ms] of Object.entries((times ?? {}) as Record<BookId, number>)) to.set(book, ms)
}
