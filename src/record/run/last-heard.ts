// What a recorder heard last of each book before it ended, from its segments: the newest of each connection says which
// books it carried, since when some of them were lost, and when its last frame arrived.

import { statSync } from 'node:fs'
import { NS_PER_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import {
  findSegment,
  loadedFolder,
  newFolder,
  type SegmentName,
  segmentsBelow,
} from '../../../workers/segment/segment-folder.ts'
import { SEGMENT_START, segmentText } from '../../../workers/segment/segment-text.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'

export type HeardBooks = Record<Venue, Map<BookId, Heard>>

/** `<venue>/<date>/<time>-<recorder>-<connection>-<socket>[-<count>].ndjson.zst` */
const NAME = /^(polymarket|kalshi)\/(\d{4}-\d{2}-\d{2}\/\d{6})-(.+)-((?:polymarket|kalshi)-\d+)-\d+(?:-\d+)?\.ndjson/
const FRAME_START = /^\{"recv_ns":(\d+),/
/** The venue's own time of a frame, which is in quotes there: a change or a trade says when it was. */
const VENUE_TIME = /\\"(?:ts_ms\\":|timestamp\\":\\")(\d{13})\b/g
/** A book says when it changed last, which may be long ago. */
const LATE_MS_MAX = 60_000
const LINE_FEED = 0x0a
/** The third byte of a line tells frames, `{"recv_ns"`, from gaps, `{"type"`, and control lines, `{"backbook"`. */
const FRAME_BYTE = 0x72
const decoder = new TextDecoder()

/** Segments that cannot be read are passed over: what is missing is then missing since the one before. */
export function lastHeard(folder: string, recorder: string): HeardBooks {
  const heard: HeardBooks = { polymarket: new Map(), kalshi: new Map() }
  for (const segments of segmentsOfConnections(folder, recorder).values()) {
    segments.sort((a, b) => (a.began === b.began ? changedMs(b) - changedMs(a) : a.began < b.began ? 1 : -1))
    const newest = firstReadable(segments)
    if (newest === undefined || newest.isReplay) continue
    for (const book of newest.books) {
      const untilMs = Math.min(newest.untilMs, newest.lost.get(book) ?? newest.untilMs)
      const before = heard[newest.venue].get(book)
      if (before === undefined || before.untilMs < untilMs) heard[newest.venue].set(book, { market: null, untilMs })
    }
  }
  return heard
}

type Place = { venue: Venue; began: string; path: string }

const changedMs = ({ path }: Place): number => statSync(path).mtimeMs

function segmentsOfConnections(folder: string, recorder: string): Map<string, Place[]> {
  const segments = new Map<string, Place[]>()
  for (const place of [loadedFolder(folder), newFolder(folder)]) {
    for (const name of segmentsBelow(place)) {
      const [connection, segment] = placeOf(place, name, recorder) ?? []
      if (connection === undefined || segment === undefined) continue
      const known = segments.get(connection)
      if (known === undefined) segments.set(connection, [segment])
      else known.push(segment)
    }
  }
  return segments
}

function placeOf(place: string, name: SegmentName, recorder: string): [string, Place] | undefined {
  const [, venue, began, by, connection] = NAME.exec(name) ?? []
  const path = by === recorder ? findSegment(place, name) : undefined
  return path === undefined ? undefined : [connection!, { venue: venue as Venue, began: began!, path }]
}

type Told = {
  venue: Venue
  /** Its times are not of this machine. */
  isReplay: boolean
  /** Unix ms of the last frame, else of its beginning. */
  untilMs: number
  books: Set<BookId>
  lost: Map<BookId, number>
}

function firstReadable(segments: readonly Place[]): Told | undefined {
  for (const { venue, path } of segments) {
    const told = readSegment(venue, path)
    if (told !== undefined) return told
  }
  return undefined
}

/** Undefined for one without a header. What stands before damage counts. */
function readSegment(venue: Venue, path: string): Told | undefined {
  const told: Told = { venue, isReplay: false, untilMs: Number.NaN, books: new Set(), lost: new Map() }
  try {
    for (const text of segmentText(path, { ...SEGMENT_START })) {
      let lastFrame = -1
      let frameEnd = -1
      for (let start = 0; start < text.length; start = text.indexOf(LINE_FEED, start) + 1) {
        const end = text.indexOf(LINE_FEED, start)
        if (text[start + 2] !== FRAME_BYTE) follow(told, JSON.parse(decoder.decode(text.subarray(start, end))))
        else [lastFrame, frameEnd] = [start, end]
      }
      if (lastFrame >= 0) told.untilMs = saidMs(decoder.decode(text.subarray(lastFrame, frameEnd))) ?? told.untilMs
    }
  } catch {
    // The file ends here.
  }
  return Number.isNaN(told.untilMs) ? undefined : told
}

/** When a frame was said: what follows on it, and was lost, may have been said before this one was received. */
function saidMs(line: string): number | undefined {
  const received = FRAME_START.exec(line)?.[1]
  if (received === undefined) return undefined
  const receivedMs = Number(BigInt(received) / NS_PER_MS)
  const venueMs = Math.max(...Array.from(line.matchAll(VENUE_TIME), ([, ms]) => Number(ms)))
  return venueMs < receivedMs && receivedMs - venueMs < LATE_MS_MAX ? venueMs : receivedMs
}

function follow(told: Told, line: Record<string, unknown>): void {
  if (line['type'] === 'gap') told.lost.delete(String(line['asset_id'] ?? line['market']))
  if (line['clock'] === 'replay') told.isReplay = true
  if (line['backbook'] === 'segment') told.untilMs = Number(BigInt(String(line['at_ns'])) / NS_PER_MS)
  if (line['backbook'] !== 'state') return
  const books = Array.isArray(line['books']) ? line['books'].map(String) : []
  if (line['state'] === 'carries') for (const book of books) told.books.add(book)
  if (line['state'] === 'drops') for (const book of books) told.books.delete(book)
  const lost = (line['lost'] ?? {}) as Record<BookId, number>
  for (const [book, sinceMs] of Object.entries(lost)) told.lost.set(book, sinceMs)
}
