// Notes what a capture hears of the books of one market and date while its records come.

import type { HeardBook } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'

/** What the head keeps of it, but for its recorder. */
export type HeardRecords = Omit<HeardBook, 'recorder' | 'source'>

/** By id, whether a capture hears a book on or lost it, from date to date and from part to part. EVERY_BOOK is for all
 *  without an entry. */
export type HearingBooks = Map<string, 'heard' | 'lost'>
const EVERY_BOOK = ''

export class HeardTracker {
  readonly #hearing: HearingBooks
  /** By number; 0 is the whole market. */
  readonly #books: HeardRecords[] = []

  constructor(hearing: HearingBooks) {
    this.#hearing = hearing
  }

  /** A snapshot or a change. */
  note(number: number, idOf: (number: number) => string, kind: RecordKind, timeMs: number): void {
    const heard = this.#books[number] ?? this.#add(number, idOf(number))
    const hearing = this.#hearing
    const state = hearing.get(heard.book!) ?? hearing.get(EVERY_BOOK)
    if (kind === 'snapshot' && state !== 'heard') heard.snapshotsMs.push(timeMs)
    else if (state !== 'lost' && heard.goesOnMs === null && heard.snapshotsMs.length === 0) heard.goesOnMs = timeMs
    if (state === undefined || kind === 'snapshot') hearing.set(heard.book!, 'heard')
    if (kind === 'delta' && timeMs > (heard.lastChangeMs ?? 0)) heard.lastChangeMs = timeMs
  }

  /** From `fromMs` on messages may be missing: of a book, or of all books where it is number 0. */
  gap(number: number, idOf: (number: number) => string, fromMs: number): void {
    const heard = this.#books[number] ?? this.#add(number, number === 0 ? null : idOf(number))
    heard.gapsMs.push(fromMs)
    if (number === 0) this.#hearing.clear()
    this.#hearing.set(heard.book ?? EVERY_BOOK, 'lost')
  }

  /** What was heard so far. A gap of the whole market is one of each of its books too. */
  take(): HeardRecords[] {
    const ofMarket = this.#books[0]?.gapsMs ?? []
    return this.#books
      .filter((heard) => heard !== undefined)
      .map((heard) => ({ ...heard, gapsMs: heard.book === null ? ofMarket : [...heard.gapsMs, ...ofMarket] }))
  }

  #add(number: number, book: string | null): HeardRecords {
    const heard = { book, snapshotsMs: [], goesOnMs: null, gapsMs: [], lastChangeMs: null }
    this.#books[number] = heard
    return heard
  }
}
