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
/** Which kind a line is stands in its first key: `{"backbook"`, `{"recv_ns"`, `{"type":"gap"`. */
const KIND_AT = 2
const [CONTROL_BYTE, FRAME_BYTE, GAP_BYTE] = [0x62, 0x72, 0x74]
const decoder = new TextDecoder()

/** Segments that cannot be read are left out: nothing is known of their books then. */
export function lastHeard(folder: string, recorder: string): HeardBooks {
  const heard: HeardBooks = { polymarket: new Map(), kalshi: new Map() }
  for (const { venue, path } of newestOfConnections(folder, recorder)) {
    for (const [book, untilMs] of readSegment(path)) {
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

/** Until when each of its books was whole, Unix ms: to the last frame, or to a loss of which no gap was told. Nothing
 *  for a replay, whose times are not of this machine, and for what cannot be read. */
function readSegment(path: string): Map<BookId, number> {
  const told = new ToldBooks()
  try {
    for (const text of segmentText(path, { ...SEGMENT_START })) told.read(text)
  } catch {
    // What comes before the damage counts.
  }
  return told.whole()
}

class ToldBooks {
  readonly #books = new Set<BookId>()
  readonly #lost = new Map<BookId, number>()
  #untilNs: bigint | undefined
  #isReplay = false

  read(text: Uint8Array): void {
    let lastFrame = -1
    for (let start = 0; start < text.length; start = text.indexOf(LINE_FEED, start) + 1) {
      const kind = text[start + KIND_AT]
      if (kind === FRAME_BYTE) lastFrame = start
      else if (kind === CONTROL_BYTE) this.#control(lineAt(text, start))
      else if (kind === GAP_BYTE) this.#gap(lineAt(text, start))
    }
    const frame = lastFrame < 0 ? '' : decoder.decode(text.subarray(lastFrame, lastFrame + FRAME_START_MAX))
    const received = FRAME_START.exec(frame)?.[1]
    if (received !== undefined) this.#untilNs = BigInt(received)
  }

  whole(): Map<BookId, number> {
    if (this.#untilNs === undefined || this.#isReplay) return new Map()
    const untilMs = Number(this.#untilNs / NS_PER_MS)
    return new Map([...this.#books].map((book) => [book, Math.min(untilMs, this.#lost.get(book) ?? untilMs)]))
  }

  #control(line: Record<string, unknown>): void {
    if (line['clock'] === 'replay') this.#isReplay = true
    if (line['backbook'] === 'segment') this.#untilNs ??= BigInt(String(line['at_ns']))
    const books = Array.isArray(line['books']) ? (line['books'] as BookId[]) : []
    if (line['state'] === 'drops') for (const book of books) this.#books.delete(book)
    if (line['state'] !== 'carries') return
    for (const book of books) this.#books.add(book)
    for (const [book, fromMs] of Object.entries(line['lost'] ?? {})) this.#lost.set(book, Number(fromMs))
  }

  /** What was lost until then is told. */
  #gap({ asset_id: token, market }: Record<string, unknown>): void {
    this.#lost.delete(String(token ?? market))
  }
}

function lineAt(text: Uint8Array, start: number): Record<string, unknown> {
  return JSON.parse(decoder.decode(text.subarray(start, text.indexOf(LINE_FEED, start)))) as Record<string, unknown>
}
