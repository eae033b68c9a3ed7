// Tracks what a capture receives of the books of one market and date, record by record.

import type { HeardBook } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'

/** What the head stores, without the recorder's name. */
export type HeardRecords = Omit<HeardBook, 'recorder'>

/** By book id: the last date on which the capture received the book, or LOST. Shared between the dates and parts of a
 *  capture. EVERY_BOOK stands for all books without an entry. */
export type HearingBooks = Map<string, string>
const LOST = 'lost'
const EVERY_BOOK = ''

export class HeardTracker {
  readonly #date: string
  readonly #hearing: HearingBooks
  /** By number; 0 is the whole market. */
  readonly #books: HeardRecords[] = []

  constructor(date: string, hearing: HearingBooks) {
    this.#date = date
    this.#hearing = hearing
  }

  /** Notes a snapshot or a change. */
  note(number: number, idOf: (number: number) => string, kind: RecordKind, timeMs: number): void {
    const heard = this.#books[number] ?? this.#add(number, idOf(number))
    const hasBegun = heard.goesOnMs !== null || heard.snapshotsMs.length > 0
    if (kind === 'delta' && timeMs > (heard.lastChangeMs ?? 0)) heard.lastChangeMs = timeMs
    if (kind === 'delta' && hasBegun) return
    const hearing = this.#hearing
    const state = hearing.get(heard.book!) ?? hearing.get(EVERY_BOOK)
    const isNew = state === undefined || state === LOST
    if (kind === 'snapshot' && isNew) heard.snapshotsMs.push(timeMs)
    else if (state !== LOST && state !== this.#date && !hasBegun) heard.goesOnMs = timeMs
    if (state !== LOST || kind === 'snapshot') hearing.set(heard.book!, this.#date)
  }

  /** Notes that messages may be missing from `fromMs` on, for one book or, with number 0, for all books. */
  gap(number: number, idOf: (number: number) => string, fromMs: number): void {
    const heard = this.#books[number] ?? this.#add(number, number === 0 ? null : idOf(number))
    heard.gapsMs.push(fromMs)
    if (number === 0) this.#hearing.clear()
    this.#hearing.set(heard.book ?? EVERY_BOOK, LOST)
  }

  /** Returns what was received so far. */
  take(): HeardRecords[] {
    return this.#books.filter((heard) => heard !== undefined)
  }

  #add(number: number, book: string | null): HeardRecords {
    const heard = { book, snapshotsMs: [], goesOnMs: null, gapsMs: [], lastChangeMs: null }
    this.#books[number] = heard
    return heard
  }
}
