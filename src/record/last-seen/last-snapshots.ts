// Finds the times of the last snapshots in a segment. A snapshot without a venue time, or with an old one, is stored
// with its arrival time. If the book's next message follows at once with an earlier venue time, that time is used.

import { NS_PER_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import { FOLLOWS_MS } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { RECORDED } from '../venues/venues.ts'

const REST = '"source":"rest"'
/** Matches the venue time of a change or trade. The segment has the frame's text as a JSON string, so its quotes are
 *  escaped. */
export const VENUE_TIME = /\\"(?:ts_ms\\":\s*|timestamp\\":\s*\\")(\d{13})\b/g
const LINE_FEED = 0x0a
const RECEIVED = /^\{"recv_ns":(\d+),/
const decoder = new TextDecoder()

type Line = { text: string; end: number; receivedMs: number }

/** The time of a snapshot, Unix ms. `isOfRest`: it is from REST, not from the socket. */
type LastSnapshot = { atMs: number; isOfRest: boolean }

/** Returns, for each book, the last snapshot that was received at `fromMs`, Unix ms, or later. `texts` are consecutive
 *  parts of a segment. */
export function lastSnapshots(venue: Venue, texts: readonly Uint8Array[], fromMs: number): Map<BookId, LastSnapshot> {
  const snapshots = new Map<BookId, LastSnapshot>()
  for (const mark of [...RECORDED[venue].snapshotMarks, REST]) {
    for (const [index, text] of texts.entries()) {
      for (const { text: line, end, receivedMs } of linesWith(text, mark)) {
        if (!(receivedMs >= fromMs)) continue
        for (const book of booksIn(venue, line)) {
          const followedMs = followerMs([text.subarray(end), ...texts.slice(index + 1)], book, receivedMs)
          const atMs = Math.max(fromMs, Math.min(receivedMs, followedMs))
          const last = snapshots.get(book)
          if (last === undefined || last.atMs <= atMs) snapshots.set(book, { atMs, isOfRest: line.includes(REST) })
        }
      }
    }
  }
  return snapshots
}

function* linesWith(text: Uint8Array, mark: string): Generator<Line> {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length)
  for (let at = bytes.indexOf(mark); at >= 0; ) {
    const end = bytes.indexOf(LINE_FEED, at)
    const line = decoder.decode(bytes.subarray(bytes.lastIndexOf(LINE_FEED, at) + 1, end))
    const [, receivedNs] = RECEIVED.exec(line) ?? []
    yield {
      text: line,
      end,
      receivedMs: receivedNs === undefined ? Number.NaN : Number(BigInt(receivedNs) / NS_PER_MS),
    }
    at = bytes.indexOf(mark, end)
  }
}

/** Returns the venue time of the book's next message; infinity if it did not follow within `FOLLOWS_MS`. */
function followerMs(texts: readonly Uint8Array[], book: BookId, receivedMs: number): number {
  for (const text of texts) {
    for (const line of linesWith(text, book)) {
      if (line.receivedMs >= receivedMs + FOLLOWS_MS) return Number.POSITIVE_INFINITY
      const [found] = line.text.matchAll(VENUE_TIME)
      if (found !== undefined && !Number.isNaN(line.receivedMs)) return Number(found[1])
    }
  }
  return Number.POSITIVE_INFINITY
}

function booksIn(venue: Venue, line: string): BookId[] {
  const { raw, ticker } = JSON.parse(line) as { raw: string; ticker?: string }
  if (ticker !== undefined) return [ticker]
  return RECORDED[venue].snapshotBooks(raw)
}
