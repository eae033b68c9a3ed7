// Counts and logs the books of a venue that contradict themselves, and describes them in one sentence of the status.

import type { Venue } from '../../../storage/venue.ts'
import { count, type RecorderStats } from './recorder-stats.ts'

export type Contradicted = { reason: string; seen: string }
type Warn = (fields: object, message: string) => void

/** In a sound feed no book is crossed. This many crossed books at once have one common cause. */
const MANY = 3

export class ContradictedBooks {
  readonly #venue: Venue
  readonly #stats: Pick<RecorderStats, 'venues' | 'problems'>
  readonly #warn: Warn
  readonly #books = new Map<string, Contradicted>()
  #crossed = 0
  /** Whether the log already says that many books are crossed. */
  #isFlagLogged = false

  constructor(venue: Venue, stats: Pick<RecorderStats, 'venues' | 'problems'>, warn: Warn) {
    this.#venue = venue
    this.#stats = stats
    this.#warn = warn
  }

  /** Sets the contradiction of a book. Null: the book is sound again, or no longer followed. */
  set(book: string, found: Contradicted | null): void {
    const before = this.#books.get(book)
    if (before?.reason === 'crossed') this.#crossed--
    this.#books.delete(book)
    if (found !== null) this.#add(book, found, before)
    if (this.#crossed === 0) this.#isFlagLogged = false
    this.#setProblem()
  }

  #add(book: string, found: Contradicted, before: Contradicted | undefined): void {
    this.#books.set(book, found)
    count(this.#stats.venues[this.#venue].contradictions, found.reason)
    if (found.reason === 'crossed') this.#crossed++
    const fields = { venue: this.#venue, market: book, ...found }
    if (this.#crossed < MANY) {
      if (before?.reason !== found.reason) this.#warn(fields, 'a book contradicts itself: a new snapshot is requested')
    } else if (!this.#isFlagLogged) {
      this.#isFlagLogged = true
      this.#warn({ ...fields, books: this.#crossed }, `many books are crossed: ${FLAG}`)
    }
  }

  #setProblem(): void {
    const name = `books ${this.#venue}`
    const [first] = this.#books
    if (first === undefined) return void this.#stats.problems.delete(name)
    const [book, { reason, seen }] = first
    const others = this.#books.size === 1 ? '' : ` and ${this.#books.size - 1} more`
    const flag = this.#crossed < MANY ? '' : `. ${this.#crossed} books are crossed: ${FLAG}`
    const text = `Books of ${this.#venue} contradict themselves: ${book} (${reason}: ${seen})${others}${flag}`
    this.#stats.problems.set(name, text)
  }
}

const FLAG = 'the venue may count NO prices otherwise than requested (the flag use_yes_price)'
