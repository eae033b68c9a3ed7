// The last-seen time of a book is known after any number of kills, whichever connection carries the book next.

import { expect, test } from 'bun:test'
import { temporaryFolder } from '../../../test/support/server.ts'
import { SegmentFiles } from '../segments/segment-files.ts'
import { LastSeenBooks } from './last-seen-books.ts'
import { lastSeenIn, type SeenBooks } from './segment-ends.ts'

const START_MS = 1_786_410_000_000
const DAY_MS = 86_400_000

function scene(folder: string, seenBooks: SeenBooks, atMs: number) {
  const nowNs = () => BigInt(START_MS + atMs) * 1_000_000n
  const feed = { add: () => undefined, closed: () => undefined }
  const files = new SegmentFiles({ folder, recorder: 'one', nowNs, feed })
  return {
    before: new LastSeenBooks(seenBooks, (header) => files.open(header), nowNs),
    /** Writes the first segment of a connection, as a kill leaves it. */
    socket(connection: string, books: string[], lost: Record<string, number> = {}, drops: string[] = []) {
      const header = { venue: 'kalshi', connection, url: '', useYesPrice: false, clock: 'machine' } as const
      const segment = files.open(header)
      segment.control('state', { state: 'carries', all: true, until: START_MS + atMs, books, lost })
      segment.control('state', { state: 'drops', books: drops })
      segment.flush()
    },
  }
}

const lastSeenMs = (folder: string) =>
  Object.fromEntries([...lastSeenIn(folder, 'one').kalshi].map(([book, { untilMs }]) => [book, untilMs - START_MS]))

test('a book that was to move to another connection at the kill keeps its last-seen time', () => {
  using folder = temporaryFolder()
  const nothing: SeenBooks = { polymarket: new Map(), kalshi: new Map() }
  const first = scene(folder.path, nothing, 0)
  first.before.begin()
  first.socket('kalshi-1-1', ['A', 'B'])
  first.socket('kalshi-2-1', ['C', 'D'])
  const second = scene(folder.path, lastSeenIn(folder.path, 'one'), 10_000)
  second.before.begin()
  // Market A has ended, so the other books move up. A kill comes before the second connection opens.
  for (const book of ['B', 'C', 'D']) second.before.take('kalshi', book)
  second.socket('kalshi-1-1', ['B', 'C'], { B: START_MS, C: START_MS })
  expect(lastSeenMs(folder.path)).toEqual({ A: 0, B: 0, C: 0, D: 0 })
  const third = scene(folder.path, lastSeenIn(folder.path, 'one'), 20_000)
  third.before.begin()
  for (const book of ['B', 'C', 'D']) third.before.take('kalshi', book)
  third.socket('kalshi-1-1', ['B', 'C'])
  third.socket('kalshi-2-1', ['D'])
  third.before.placed()
  expect(lastSeenMs(folder.path)).toEqual({ A: 0, B: 20_000, C: 20_000, D: 20_000 })
  // A book that was not recorded for a long time is forgotten: the store has the time of its last record.
  const late = scene(folder.path, lastSeenIn(folder.path, 'one'), 31 * DAY_MS)
  late.before.begin()
  expect(lastSeenMs(folder.path)).toEqual({})
})

test('the lead of the venue’s clock is known after a start that opened no socket', () => {
  using folder = temporaryFolder()
  const books = ['A', 'B'].map((book) => [book, { market: null, untilMs: START_MS, aheadMs: 2_000 }] as const)
  const seenBooks: SeenBooks = { polymarket: new Map(), kalshi: new Map(books) }
  scene(folder.path, seenBooks, 10_000).before.begin()
  expect(lastSeenIn(folder.path, 'one').kalshi.get('A')?.aheadMs).toBe(2_000)
})

test('a book that another connection recorded and dropped since loses its older last-seen time', () => {
  using folder = temporaryFolder()
  const nothing: SeenBooks = { polymarket: new Map(), kalshi: new Map() }
  scene(folder.path, nothing, 0).socket('kalshi-2-1', ['A', 'B'])
  const second = scene(folder.path, lastSeenIn(folder.path, 'one'), 10_000)
  second.before.begin()
  for (const book of ['A', 'B']) second.before.take('kalshi', book)
  second.socket('kalshi-1-1', ['A', 'B'], {}, ['B'])
  expect(lastSeenMs(folder.path)).toEqual({ A: 10_000, B: 0 })
  second.before.placed()
  expect(lastSeenMs(folder.path)).toEqual({ A: 10_000 })
})
