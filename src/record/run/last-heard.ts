// What a recorder heard last of each book before it ended, from its segments: the newest of each connection says which
// books it carried, since when some of them were lost, and until when it was told.

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
import { SEGMENT_START, segmentText, textFromEnd } from '../../../workers/segment/segment-text.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'

export type HeardBooks = Record<Venue, Map<BookId, Heard>>

/** `<venue>/<date>/<time>-<recorder>-<connection>-<socket>[-<count>].ndjson.zst` */
const NAME = /^(polymarket|kalshi)\/(\d{4}-\d{2}-\d{2}\/\d{6})-(.+)-((?:polymarket|kalshi)-\d+)-\d+(?:-\d+)?\.ndjson/
/** Of what a socket said: a body of REST, which has `"source"` there, says nothing of what the socket heard. */
const FRAME_START = /^\{"recv_ns":(\d+),"mono_ns"/
/** The venue's own time of a frame, which is in quotes there: a change or a trade says when it was. */
const VENUE_TIME = /\\"(?:ts_ms\\":|timestamp\\":\\")(\d{13})\b/g
/** So many frames tell how late it was when the last of them was said. */
const FRAMES_MAX = 1_000
const ALL_CARRIED = '"state":"carries","all":true'
const LINE_FEED = 0x0a
/** The third byte of a line tells frames, `{"recv_ns"`, from gaps, `{"type"`, and control lines, `{"backbook"`. */
const FRAME_BYTE = 0x72
const decoder = new TextDecoder()

/** Segments that cannot be read are passed over: what is missing is then missing since the one before. */
export function lastHeard(folder: string, recorder: string): HeardBooks {
  const heard: HeardBooks = { polymarket: new Map(), kalshi: new Map() }
  for (const segments of segmentsOfConnections(folder, recorder).values()) {
    segments.sort((a, b) => (a.began === b.began ? changedMs(b) - changedMs(a) : a.began < b.began ? 1 : -1))
    addHeard(heard, firstReadable(segments))
  }
  return heard
}

/** Adds what the newest segment of a connection says. */
export function addHeard(heard: HeardBooks, newest: Told | undefined): void {
  if (newest === undefined || newest.isReplay) return
  for (const book of newest.books) {
    const untilMs = Math.min(newest.untilMs, newest.lost.get(book) ?? newest.untilMs)
    const before = heard[newest.venue].get(book)
    if (before === undefined || before.untilMs < untilMs) heard[newest.venue].set(book, { market: null, untilMs })
  }
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

export type Told = {
  venue: Venue
  /** Its times are not of this machine. */
  isReplay: boolean
  /** Whether it says which books it carries: the segment of a socket that stands by does not. */
  isOfBooks: boolean
  /** Unix ms: no message that was said before then is missing, but for books that were lost. */
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

/** Undefined for one without a header, or that carries no books. Its end alone is read, from where it says last all
 *  that it carries. What stands before damage counts. */
function readSegment(venue: Venue, path: string): Told | undefined {
  const told = newTold(venue)
  /** From where it says all that it carries. */
  const texts: Uint8Array[] = []
  let isWhole = false
  let saidMs: number | undefined
  try {
    for (const text of textFromEnd(path)) {
      saidMs ??= lastSaidMs(text)
      if (!isWhole) texts.push(text)
      isWhole ||= Buffer.from(text.buffer, text.byteOffset, text.length).includes(ALL_CARRIED)
      if (isWhole && saidMs !== undefined) break
    }
    const [header] = segmentText(path, { ...SEGMENT_START })
    if (header !== undefined) followHeader(told, header)
  } catch {
    // What was read is the end of it.
  }
  return toldIn(told, texts.toReversed(), saidMs)
}

/** As `readSegment`, of a segment whose whole text is given. */
export function readWholeSegment(venue: Venue, text: Uint8Array): Told | undefined {
  const told = newTold(venue)
  followHeader(told, text)
  return toldIn(told, [text], lastSaidMs(text))
}

const newTold = (venue: Venue): Told => ({
  ...{ venue, isReplay: false, isOfBooks: false, untilMs: Number.NaN, books: new Set(), lost: new Map() },
})

function toldIn(told: Told, texts: readonly Uint8Array[], saidMs: number | undefined): Told | undefined {
  for (const text of texts) for (const line of otherLines(text)) follow(told, line)
  told.untilMs = Math.max(told.untilMs, saidMs ?? told.untilMs)
  return Number.isNaN(told.untilMs) || !told.isOfBooks ? undefined : told
}

/** Lines that are no frames. */
function* otherLines(text: Uint8Array): Generator<Record<string, unknown>> {
  for (let start = 0; start < text.length; start = text.indexOf(LINE_FEED, start) + 1) {
    if (text[start + 2] === FRAME_BYTE) continue
    yield JSON.parse(decoder.decode(text.subarray(start, text.indexOf(LINE_FEED, start))))
  }
}

/** The latest that a frame tells of when it was said. When it was received says nothing: what was lost may have been
 *  said between. Undefined where no frame tells a time. */
function lastSaidMs(text: Uint8Array): number | undefined {
  let latestMs: number | undefined
  let left = FRAMES_MAX
  for (let end = text.length - 1; end > 0 && left > 0; ) {
    const start = text.lastIndexOf(LINE_FEED, end - 1) + 1
    const line = text[start + 2] === FRAME_BYTE ? decoder.decode(text.subarray(start, end)) : ''
    const [, receivedNs] = FRAME_START.exec(line) ?? []
    if (receivedNs !== undefined) {
      left--
      const receivedMs = Number(BigInt(receivedNs) / NS_PER_MS)
      for (const [, ms] of line.matchAll(VENUE_TIME))
        latestMs = Math.max(latestMs ?? 0, Math.min(Number(ms), receivedMs))
    }
    end = start - 1
  }
  return latestMs
}

function followHeader(told: Told, text: Uint8Array): void {
  const line = JSON.parse(decoder.decode(text.subarray(0, text.indexOf(LINE_FEED)))) as Record<string, unknown>
  told.isReplay = line['clock'] === 'replay'
  told.untilMs = Number(BigInt(String(line['at_ns'])) / NS_PER_MS)
}

/** One that nothing closed goes on. */
function followGap({ lost }: Told, { asset_id: token, market, msg }: Record<string, unknown>): void {
  const book = String(token ?? market)
  const { closed_by: closedBy, to } = (msg ?? {}) as Record<string, unknown>
  if (closedBy === 'end') lost.set(book, Number(to))
  else lost.delete(book)
}

function follow(told: Told, line: Record<string, unknown>): void {
  if (line['type'] === 'gap') followGap(told, line)
  if (line['backbook'] !== 'state') return
  const books = Array.isArray(line['books']) ? line['books'].map(String) : []
  if (line['all'] === true) {
    told.books.clear()
    told.lost.clear()
    told.untilMs = Number(line['until'] ?? told.untilMs)
  }
  if (line['state'] === 'carries') {
    told.isOfBooks = true
    for (const book of books) told.books.add(book)
  }
  if (line['state'] === 'drops') for (const book of books) told.books.delete(book)
  const lost = (line['lost'] ?? {}) as Record<BookId, number>
  for (const [book, sinceMs] of Object.entries(lost)) told.lost.set(book, sinceMs)
}
