// Splits the shown records of one book into pieces, one per span.

import { type Book, copyOf, topAfter, unseenBook } from '../book.ts'
import type { Placed } from '../questions/place.ts'
import { type Change, replay } from '../quotes.ts'
import { isWithin } from './layer.ts'
import type { ShownDate } from './shown.ts'
import type { Span } from './spans.ts'

/** `begins` is the book after a switch: null if it is unknown, undefined if the piece does not begin with a switch. The
 *  piece begins before the record at `place`. Places count all records of the date, also those that are passed over. */
export type Piece = Span & { date: string; place: number; begins: Book | null | undefined; records: Placed[] }

/** Returns the pieces of one book; of all books if `book` is null. Own records that are passed over are within no own
 *  span, so they are in no piece. */
export function piecesOf(dates: ShownDate[], book: string | null): Piece[] {
  return dates.flatMap(({ date, spans, records, switches }) => {
    const placed = records.map((shown, place) => ({ ...shown, date, place }))
    return spans.map((span): Piece => {
      const switched = switches.find(({ atMs }) => atMs === span.fromMs)
      const found = placed.filter(({ record, source }) => {
        const { type, timestamp } = record
        const isOfBook = book === null || record.book === book || (type === 'gap' && record.book === null)
        return isOfBook && source === span.source && isWithin(span, timestamp)
      })
      const begins = switched && (switched.books.get(book ?? '')?.book ?? null)
      const first = placed.findIndex(({ record }) => record.timestamp >= span.fromMs)
      const place = switched?.place ?? (first < 0 ? placed.length : first)
      return { ...span, date, place, begins, records: found.map(({ record, place }) => ({ record, date, place })) }
    })
  })
}

/** Returns the changes of the top of the book in each piece. A switch is a change, but not a quote. */
export function changesOfPieces(pieces: Piece[]): { piece: Piece; before: Book; changes: Change[] }[] {
  let state = unseenBook()
  return pieces.map((piece) => {
    const switched: Change[] = []
    if (piece.begins !== undefined) {
      state = copyOf(piece.begins ?? unseenBook())
      switched.push({ time: piece.fromMs, top: topAfter(state), isQuote: false })
    }
    const before = copyOf(state)
    const records = piece.records.map(({ record }) => record)
    return { piece, before, changes: [...switched, ...replay(state, records)] }
  })
}
