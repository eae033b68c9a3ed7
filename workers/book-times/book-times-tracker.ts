// Tracks what a capture receives of the books of one market and date, record by record.

import type { BookTimes } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'

/** What the head stores, without the recorder's name. */
export type RecordedBookTimes = Omit<BookTimes, 'recorder'>

/** Maps the id of each book to the last date on which the capture received the book, or to LOST. The dates and parts of
 *  a capture share this map. EVERY_BOOK stands for all books without an entry. */
export type FollowedBooks = Map<string, string>
const LOST = 'lost'
const EVERY_BOOK = ''

export class BookTimesTracker {
  readonly #date: string
  readonly #followed: FollowedBooks
  /** Times of each book, indexed by book number; index 0 is the whole market. */
  readonly #books: RecordedBookTimes[] = []

  constructor(date: string, followed: FollowedBooks) {
    this.#date = date
    this.#followed = followed
  }

  /** Notes a snapshot or a change. */
  note(number: number, idOf: (number: number) => string, kind: RecordKind, timeMs: number): void {
    const times = this.#books[number] ?? this.#add(number, idOf(number))
    const hasBegun = times.goesOnMs !== null || times.snapshotsMs.length > 0
    if (kind === 'delta' && timeMs > (times.lastChangeMs ?? 0)) times.lastChangeMs = timeMs
    if (kind === 'delta' && hasBegun) return
    const followed = this.#followed
    const state = followed.get(times.book!) ?? followed.get(EVERY_BOOK)
    const isNew = state === undefined || state === LOST
    if (kind === 'snapshot' && isNew) times.snapshotsMs.push(timeMs)
    else if (state !== LOST && state !== this.#date && !hasBegun) times.goesOnMs = timeMs
    if (state !== LOST || kind === 'snapshot') followed.set(times.book!, this.#date)
  }

  /** Notes that messages may be missing from `fromMs` on, for one book or, with number 0, for all books. */
  gap(number: number, idOf: (number: number) => string, fromMs: number): void {
    const times = this.#books[number] ?? this.#add(number, number === 0 ? null : idOf(number))
    times.gapsMs.push(fromMs)
    if (number === 0) this.#followed.clear()
    this.#followed.set(times.book ?? EVERY_BOOK, LOST)
  }

  /** Returns what was received so far. */
  take(): RecordedBookTimes[] {
    return this.#books.filter((times) => times !== undefined)
  }

  #add(number: number, book: string | null): RecordedBookTimes {
    const times = { book, snapshotsMs: [], goesOnMs: null, gapsMs: [], lastChangeMs: null }
    this.#books[number] = times
    return times
  }
}
