// What the recorder before this one heard last of each book: read from its last segments, so that what is missing since
// then is a gap.

import { VENUES, type Venue } from '../../../storage/venue.ts'
import { findSegment, loadedFolder, newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { SEGMENT_START, segmentText } from '../../../workers/segment/segment-text.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { HeardConnection } from './heard-connection.ts'

/** A connection begins a segment each hour: those that began within two hours before the last have all that counts. */
const BACK_MS = 2 * 3_600_000

/** Books by venue. What cannot be read is passed over: without it a gap begins earlier, or is not known. */
export function heardBefore(folder: string, venues: readonly Venue[] = VENUES): Map<Venue, Map<BookId, Heard>> {
  const segments = [newFolder(folder), loadedFolder(folder)].flatMap((below) =>
    segmentsBelow(below).map((name) => ({ below, name, startMs: startOf(name) })),
  )
  const lastMs = Math.max(...segments.map(({ startMs }) => startMs))
  const late = segments.filter(({ startMs }) => startMs >= lastMs - BACK_MS).sort((a, b) => a.startMs - b.startMs)
  return new Map(
    venues.map((venue) => {
      const connections = new Map<string, HeardConnection>()
      for (const { below, name } of late.filter((each) => each.name.startsWith(`${venue}/`))) {
        const path = findSegment(below, name)
        if (path !== undefined) readSegment(path, venue, connections)
      }
      return [venue, latestOf(connections.values())]
    }),
  )
}

/** Unix ms, from `<venue>/<date>/<HHMMSS>-…`; NaN for another name. */
function startOf(name: string): number {
  const [, date, time = ''] = name.split('/')
  return Date.parse(`${date}T${time.replace(/^(\d\d)(\d\d)(\d\d)-.*$/, '$1:$2:$3')}Z`)
}

function readSegment(path: string, venue: Venue, connections: Map<string, HeardConnection>): void {
  let connection: HeardConnection | undefined
  const decoder = new TextDecoder()
  try {
    for (const text of segmentText(path, { ...SEGMENT_START })) {
      for (const line of decoder.decode(text).split('\n')) {
        const id =
          connection === undefined ? /^\{"backbook":"segment".*?"connection":"([^"]+)"/.exec(line)?.[1] : undefined
        if (id !== undefined) {
          connection = connections.get(id) ?? new HeardConnection(venue)
          connections.set(id, connection)
          connection.begin()
        } else if (line !== '') connection?.read(line)
      }
    }
  } catch {
    // What comes before the damage counts.
  }
}

/** Of several connections that had a book, the one that heard it last. */
function latestOf(connections: Iterable<HeardConnection>): Map<BookId, Heard> {
  const heard = new Map<BookId, Heard>()
  for (const connection of connections) {
    for (const [book, { market, untilMs }] of connection.heard()) {
      if (untilMs > (heard.get(book)?.untilMs ?? 0)) heard.set(book, { market, untilMs })
    }
  }
  return heard
}
