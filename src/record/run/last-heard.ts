// What a recorder heard last of each book before it ended, from its segments: the newest of each connection says which
// books it carried, since when some of them were lost, and until when it was told.

import { statSync } from 'node:fs'
import { NS_PER_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
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
import { missingBefore } from '../connection/gap-lines.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import { isNear } from '../connection/heard-until.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { lastSnapshots, VENUE_TIME } from './last-snapshots.ts'

export type HeardBooks = Record<Venue, Map<BookId, Heard>>

/** `<venue>/<date>/<time>-<recorder>-<connection>-<socket>[-<count>].ndjson.zst` */
const NAME = /^(polymarket|kalshi)\/(\d{4}-\d{2}-\d{2}\/\d{6})-(.+)-((?:polymarket|kalshi)-\d+)-(\d+)(?:-\d+)?\.ndjson/
/** Of what a socket said: a body of REST, which has `"source"` there, says nothing of what the socket heard. */
const FRAME_START = /^\{"recv_ns":(\d+),"mono_ns"/
/** So many frames tell how late it was when the last of them was said. */
const FRAMES_MAX = 1_000
/** A book of Polymarket tells when it changed last. */
const BOOK_MARK = '\\"bids\\"'
const ALL_CARRIED = '"state":"carries","all":true'
const LINE_FEED = 0x0a
/** The third byte of a line tells frames, `{"recv_ns"`, from gaps, `{"type"`, and control lines, `{"backbook"`. */
const FRAME_BYTE = 0x72
const decoder = new TextDecoder()

/** Segments that cannot be read are passed over: what is missing is then missing since the one before. */
export function lastHeard(folder: string, recorder: string): HeardBooks {
  const heard: HeardBooks = { polymarket: new Map(), kalshi: new Map() }
  for (const ofVenue of Map.groupBy(segmentsOf(folder, recorder), ({ venue }) => venue).values()) {
    const begins = ofVenue.filter(({ isBegin }) => isBegin).map(({ began }) => began)
    const last = begins.toSorted().at(-1) ?? ''
    const newest = ofVenue.filter(({ began }) => began >= last)
    for (const segments of Map.groupBy(newest, ({ connection }) => connection).values()) {
      segments.sort((a, b) => (a.began === b.began ? changedMs(b) - changedMs(a) : a.began < b.began ? 1 : -1))
      addHeard(heard, firstReadable(segments))
    }
  }
  return heard
}

/** Adds what the newest segment of a connection says. */
export function addHeard(heard: HeardBooks, newest: Told | undefined): void {
  if (newest === undefined || newest.isReplay) return
  for (const book of newest.books) {
    const { aheadMs, lost, snapshots } = newest
    // A gap that began before the snapshot would end with it.
    const wholeMs = Math.max(newest.untilMs, (snapshots.get(book) ?? Number.NEGATIVE_INFINITY) + 1)
    const untilMs = lost.get(book) ?? wholeMs
    const beforeMs = newest.before.get(book) ?? missingBefore(untilMs, newest.untilMs, -aheadMs)
    const before = heard[newest.venue].get(book)
    if (before === undefined || before.untilMs < untilMs)
      heard[newest.venue].set(book, { market: null, untilMs, beforeMs, aheadMs })
  }
}

/** `isBegin`: a process begins with it, and says in it all that is known from segments before. */
type Place = { venue: Venue; began: string; connection: string; isBegin: boolean; path: string }

const changedMs = ({ path }: Place): number => statSync(path).mtimeMs

function segmentsOf(folder: string, recorder: string): Place[] {
  return [loadedFolder(folder), newFolder(folder)].flatMap((place) =>
    segmentsBelow(place).flatMap((name) => placeOf(place, name, recorder) ?? []),
  )
}

function placeOf(place: string, name: SegmentName, recorder: string): Place | undefined {
  const [, venue, began = '', by, connection = '', socket] = NAME.exec(name) ?? []
  const path = by === recorder ? findSegment(place, name) : undefined
  if (path === undefined) return undefined
  // One that a kill cut off does not say all.
  const isBegin = connection === `${venue}-0` && socket === '1' && !path.endsWith(PART_END)
  return { venue: venue as Venue, began, connection, isBegin, path }
}

export type Told = {
  venue: Venue
  /** Its times are not of this machine. */
  isReplay: boolean
  /** Whether it says which books it carries: the segment of a socket that stands by does not. */
  isOfBooks: boolean
  /** Unix ms: no message that was said before then is missing, but for books that were lost. */
  untilMs: number
  /** `untilMs` is the opening of a socket by our clock: what frames say counts more. */
  isOurs: boolean
  books: Set<BookId>
  lost: Map<BookId, number>
  /** Unix ms, of those that came after `untilMs`. */
  snapshots: Map<BookId, number>
  /** Unix ms, of those that miss something before their snapshot, too. */
  before: Map<BookId, number>
  /** By how much the venue's clock was ahead of ours, ms. */
  aheadMs: number
}

/** `segments` from the newest on. */
function firstReadable(segments: readonly Place[]): Told | undefined {
  const standbys: Uint8Array[][] = []
  for (const { venue, path } of segments) {
    const texts: Uint8Array[] = []
    const told = readSegment(venue, path, texts)
    if (told === undefined) {
      standbys.unshift(texts.reverse())
      continue
    }
    for (const standby of standbys) followStandby(told, standby)
    return told
  }
  return undefined
}

/** A socket that did not take over is stored too: its snapshots stand between two gaps of the socket that counted. */
function followStandby(told: Told, texts: readonly Uint8Array[]): void {
  for (const line of texts.flatMap((text) => [...otherLines(text)])) {
    if (line['type'] !== 'gap') continue
    const { closed_by: closedBy, to } = line['msg'] as GapLine['msg']
    const wasLostAgain = told.lost.get(String(line['asset_id'] ?? line['market']))! > to
    if (closedBy !== 'end' && !wasLostAgain) followGap(told, line)
  }
  addSnapshots(told, texts, true)
}

/** Undefined for one without a header, or that carries no books. Its end alone is read into `texts`, back to where it
 *  last says all that it carries. What stands before damage counts. */
function readSegment(venue: Venue, path: string, texts: Uint8Array[]): Told | undefined {
  const told = newTold(venue)
  let isWhole = false
  let said: Said | undefined
  try {
    for (const text of textFromEnd(path)) {
      said ??= lastSaid(text)
      if (!isWhole) texts.push(text)
      isWhole ||= Buffer.from(text.buffer, text.byteOffset, text.length).includes(ALL_CARRIED)
      if (isWhole && said !== undefined) break
    }
    const [header] = segmentText(path, { ...SEGMENT_START })
    if (header !== undefined) followHeader(told, header)
  } catch {
    // What was read is the end of it.
  }
  return toldIn(told, texts.toReversed(), said)
}

/** As `readSegment`, of a segment whose whole text is given. */
export function readWholeSegment(venue: Venue, text: Uint8Array): Told | undefined {
  const told = newTold(venue)
  followHeader(told, text)
  return toldIn(told, [text], lastSaid(text))
}

const newTold = (venue: Venue): Told => ({
  ...{ venue, isReplay: false, isOfBooks: false, untilMs: Number.NaN, isOurs: false, books: new Set() },
  ...{ lost: new Map(), snapshots: new Map(), before: new Map(), aheadMs: 0 },
})

function toldIn(told: Told, texts: readonly Uint8Array[], said: Said | undefined): Told | undefined {
  for (const text of texts) for (const line of otherLines(text)) follow(told, line)
  if (said !== undefined) {
    told.untilMs = told.isOurs ? said.latestMs : Math.max(told.untilMs, said.latestMs)
    told.aheadMs = said.aheadMs
  }
  if (Number.isNaN(told.untilMs) || !told.isOfBooks) return undefined
  addSnapshots(told, texts, false)
  return told
}

/** `isOfOther`: the socket that counts did not give them. */
function addSnapshots(told: Told, texts: readonly Uint8Array[], isOfOther: boolean): void {
  for (const [book, { atMs, isOfRest }] of lastSnapshots(told.venue, texts, told.untilMs)) {
    if (atMs < (told.snapshots.get(book) ?? atMs)) continue
    told.snapshots.set(book, atMs)
    if (isOfRest || isOfOther) told.before.set(book, told.untilMs)
    else told.before.delete(book)
  }
}

/** Lines that are no frames. */
function* otherLines(text: Uint8Array): Generator<Record<string, unknown>> {
  for (let start = 0; start < text.length; start = text.indexOf(LINE_FEED, start) + 1) {
    if (text[start + 2] === FRAME_BYTE) continue
    yield JSON.parse(decoder.decode(text.subarray(start, text.indexOf(LINE_FEED, start))))
  }
}

type Said = { latestMs: number; aheadMs: number }

/** The latest that a frame tells of when it was said, and by how much the venue's clock was ahead. When it was received
 *  says nothing: what was lost may have been said between. Undefined where no frame tells a time. */
function lastSaid(text: Uint8Array): Said | undefined {
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
      for (const [, said] of line.matchAll(VENUE_TIME)) {
        const saidMs = Number(said)
        latestMs = Math.max(latestMs, isNear(saidMs, receivedMs) ? saidMs : Math.min(saidMs, receivedMs))
        if (isNear(saidMs, receivedMs)) aheadMs = Math.max(aheadMs, saidMs - receivedMs)
      }
    }
    end = start - 1
  }
  return Number.isFinite(aheadMs) ? { latestMs, aheadMs } : undefined
}

function followHeader(told: Told, text: Uint8Array): void {
  const line = JSON.parse(decoder.decode(text.subarray(0, text.indexOf(LINE_FEED)))) as Record<string, unknown>
  told.isReplay = line['clock'] === 'replay'
  told.untilMs = Number(BigInt(String(line['at_ns'])) / NS_PER_MS)
}

/** One that nothing closed goes on. */
function followGap({ lost, before, snapshots }: Told, { asset_id: token, market, msg }: Record<string, unknown>): void {
  const book = String(token ?? market)
  const { closed_by: closedBy, from, to } = (msg ?? {}) as Record<string, unknown>
  before.delete(book)
  if (closedBy === 'end') lost.set(book, Number(to))
  else {
    lost.delete(book)
    // What closes it is stored with no earlier time.
    snapshots.set(book, Number(from))
  }
}

function follow(told: Told, line: Record<string, unknown>): void {
  if (line['type'] === 'gap') followGap(told, line)
  if (line['backbook'] !== 'state') return
  const books = Array.isArray(line['books']) ? line['books'].map(String) : []
  if (line['all'] === true) {
    told.books.clear()
    told.lost.clear()
    told.snapshots.clear()
    told.before.clear()
    told.untilMs = Number(line['until'] ?? told.untilMs)
    told.isOurs = line['ours'] === true
    told.aheadMs = Number(line['ahead'] ?? told.aheadMs)
  }
  if (line['state'] === 'carries') {
    told.isOfBooks = true
    for (const book of books) told.books.add(book)
  }
  if (line['state'] === 'drops') {
    for (const known of [told.books, told.lost, told.before, told.snapshots])
      for (const book of books) known.delete(book)
  }
  addTimes(told.lost, line['lost'])
  addTimes(told.before, line['before'])
  addTimes(told.snapshots, line['snapshots'])
}

function addTimes(to: Map<BookId, number>, times: unknown): void {
  for (const [book, ms] of Object.entries((times ?? {}) as Record<BookId, number>)) to.set(book, ms)
}
