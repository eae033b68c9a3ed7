// What a recorder heard last of each book before it ended, from its segments: the newest of each connection says which
// books it carried, and when its last frame arrived.

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
const NAME = /^(polymarket|kalshi)\/(\d{4}-\d{2}-\d{2}\/\d{6})-(.+)-((?:polymarket|kalshi)-\d+)-(\d+)(?:-\d+)?\.ndjson/
const FRAME_START = /^\{"recv_ns":(\d+),/
const FRAME_START_MAX = 64
const LINE_FEED = 0x0a
/** Control lines begin `{"b`. */
const CONTROL_BYTE = 0x62
const decoder = new TextDecoder()

/** Segments that cannot be read are left out: nothing is known of their books then. */
export function lastHeard(folder: string, recorder: string): HeardBooks {
  const heard: HeardBooks = { polymarket: new Map(), kalshi: new Map() }
  for (const { venue, path } of newestOfConnections(folder, recorder)) {
    const told = readSegment(path)
    if (told === undefined) continue
    const { untilMs, books } = told
    for (const book of books) {
      const before = heard[venue].get(book)
      if (before === undefined || before.untilMs < untilMs) heard[venue].set(book, { market: null, untilMs })
    }
  }
  return heard
}

type Newest = { venue: Venue; began: string; socket: number; path: string }

function newestOfConnections(folder: string, recorder: string): Newest[] {
  const newest = new Map<string, Newest>()
  for (const place of [loadedFolder(folder), newFolder(folder)]) {
    for (const name of segmentsBelow(place)) {
      const found = newestIn(place, name, recorder)
      if (found === undefined) continue
      const [connection, segment] = found
      const other = newest.get(connection)
      const isNewer =
        other === undefined ||
        segment.began > other.began ||
        (segment.began === other.began && segment.socket > other.socket)
      if (isNewer) newest.set(connection, segment)
    }
  }
  return [...newest.values()]
}

function newestIn(place: string, name: SegmentName, recorder: string): [string, Newest] | undefined {
  const [, venue, began, by, connection, socket] = NAME.exec(name) ?? []
  const path = by === recorder ? findSegment(place, name) : undefined
  if (path === undefined) return undefined
  return [connection!, { venue: venue as Venue, began: began!, socket: Number(socket), path }]
}

/** Undefined for a replay, whose times are not of this machine, and for what cannot be read. */
function readSegment(path: string): { untilMs: number; books: Set<BookId> } | undefined {
  const books = new Set<BookId>()
  let untilNs: bigint | undefined
  try {
    for (const text of segmentText(path, { ...SEGMENT_START })) {
      let lastFrame = -1
      for (let start = 0; start < text.length; start = text.indexOf(LINE_FEED, start) + 1) {
        if (text[start + 2] !== CONTROL_BYTE) {
          lastFrame = start
          continue
        }
        const end = text.indexOf(LINE_FEED, start)
        const line = JSON.parse(decoder.decode(text.subarray(start, end))) as Record<string, unknown>
        if (line['clock'] === 'replay') return undefined
        if (line['backbook'] === 'segment') untilNs ??= BigInt(String(line['at_ns']))
        for (const book of line['state'] === 'carries' ? (line['books'] as BookId[]) : []) books.add(book)
        for (const book of line['state'] === 'drops' ? (line['books'] as BookId[]) : []) books.delete(book)
      }
      if (lastFrame < 0) continue
      const received = FRAME_START.exec(decoder.decode(text.subarray(lastFrame, lastFrame + FRAME_START_MAX)))?.[1]
      if (received !== undefined) untilNs = BigInt(received)
    }
  } catch {
    return undefined
  }
  return untilNs === undefined ? undefined : { untilMs: Number(untilNs / NS_PER_MS), books }
}
