// A shard that this recorder holds: which books it has, and what of them is stored, so that whoever takes its place
// knows what nobody heard. A book is told before anything of it is recorded, and what is told is never later than what
// is stored. Pure.

import type { ShardHeard, TakenLease } from '../../../storage/cluster/leases/leases.ts'
import type { Fence } from '../../../storage/fence.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { StoredLines } from '../../../workers/live-load/live-loading.ts'
import type { Heard, MissingSince } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { booksOf, packBooks, type ShardBook, textOf } from './shard-books.ts'

/** What a connection of the shard has heard. */
export type HeardOfConnection = { venue: Venue; untilMs: number; missing: Iterable<MissingSince> }

type KnownBook = {
  venue: Venue
  book: BookId
  market: string | null
  /** When it was told first, or since when it is missing by those who recorded it before; Unix ms. */
  sinceMs: number
  isInherited: boolean
  /** The moment that was noted last when it was added, and of those that it was carried in. */
  moment: number
  carried: number
  /** Of the change that added it. */
  revision: number
}

/** What is on the disk after so many flushes, as of one moment. */
type Moment = { number: number; count: number; untilMs: number; since: Map<KnownBook, number> }

/** What is told of the shard, and of which of its changes. */
export type ToldShard = { heard: ShardHeard; revision: number; isWhole: boolean; hash: number | bigint }

export class HeldShard {
  readonly fence: Fence
  readonly #known: Record<Venue, Map<BookId, KnownBook>> = { polymarket: new Map(), kalshi: new Map() }
  readonly #untilMs: number | null
  /** Ascending; not known to be stored. */
  #moments: Moment[] = []
  #stored: Moment | undefined
  #momentCount = 0
  #revision = 0
  #toldRevision = 0
  /** Whether all books were as far as the shard when that was told last. */
  #wasWhole = false
  #toldHash: number | bigint = 0
  /** It is given back: nothing new is recorded of it. */
  isLeaving = false

  /** Throws where what the holder before told is damaged. */
  constructor({ fence, heard }: TakenLease) {
    this.fence = fence
    this.#untilMs = heard.untilMs
    for (const book of booksOf(heard)) this.#add(book, true)
  }

  /** Books that it has from now on. */
  add(books: Iterable<Omit<ShardBook, 'sinceMs'>>, nowMs: number): void {
    this.#revision++
    for (const book of books) {
      const known = this.#known[book.venue].get(book.book)
      if (known === undefined) this.#add({ ...book, sinceMs: nowMs }, false)
      else known.market ??= book.market
    }
  }

  remove(venue: Venue, books: Iterable<BookId>): void {
    this.#revision++
    for (const book of books) this.#known[venue].delete(book)
  }

  /** Nobody wanted them for so long: they begin anew. */
  forgetBefore(ms: number, isWanted: (venue: Venue, book: BookId) => boolean): void {
    for (const { venue, book, sinceMs, isInherited } of [...this.#all()]) {
      if (isInherited && sinceMs < ms && !isWanted(venue, book)) this.remove(venue, [book])
    }
  }

  /** What those heard of a book who recorded it before. */
  before(venue: Venue, book: BookId): Heard | undefined {
    const known = this.#known[venue].get(book)
    return known?.isInherited === true ? { market: known.market, untilMs: known.sinceMs } : undefined
  }

  /** Whether the database knows of a book. */
  isTold(venue: Venue, book: BookId): boolean {
    const known = this.#known[venue].get(book)
    return known !== undefined && (known.isInherited || known.revision <= this.#toldRevision)
  }

  /** All that was heard is on the disk, and was handed over in so many calls. */
  note(heard: readonly HeardOfConnection[], count: number, nowMs: number): void {
    this.#moments.push(this.#momentOf(heard, count, nowMs))
  }

  /** A commit has ended. */
  stored({ count, waiting }: StoredLines): void {
    const isOurs = ({ fence }: StoredLines['waiting'][number]) =>
      fence.lease === this.fence.lease && fence.epoch === this.fence.epoch
    const through = waiting.find(isOurs)?.from ?? count
    const first = this.#moments.findIndex((moment) => moment.count > through)
    const stored = this.#moments.splice(0, first < 0 ? this.#moments.length : first)
    this.#stored = stored.at(-1) ?? this.#stored
  }

  /** What may be told now. */
  tell(): ToldShard {
    const untilMs = this.#stored?.untilMs ?? this.#untilMs
    const revision = this.#revision
    if (this.#wasWhole && revision === this.#toldRevision && this.#stored?.since.size === 0) {
      return { heard: { untilMs, books: null }, revision, isWhole: true, hash: this.#toldHash }
    }
    const books = this.#books(this.#stored)
    const isWhole = books.every(({ sinceMs }) => sinceMs === null)
    const hash = Bun.hash(textOf(books))
    return { heard: { untilMs, books: hash === this.#toldHash ? null : packBooks(books) }, revision, isWhole, hash }
  }

  /** The database has it. */
  told({ revision, isWhole, hash }: ToldShard): void {
    this.#toldHash = hash
    this.#toldRevision = revision
    this.#wasWhole = isWhole
  }

  /** What the next holder is told once all is stored: gaps that are open are told up to now. */
  last(heard: readonly HeardOfConnection[], nowMs: number): ShardHeard {
    const ended = heard.map(({ missing, ...rest }) => {
      const isOpen = ({ sinceMs, market }: MissingSince) => sinceMs !== null && sinceMs < nowMs && market !== null
      return { ...rest, missing: [...missing].map((each) => (isOpen(each) ? { ...each, sinceMs: nowMs } : each)) }
    })
    const moment = this.#momentOf(ended, 0, nowMs)
    return { untilMs: moment.untilMs, books: packBooks(this.#books(moment)) }
  }

  #add({ venue, book, market, sinceMs }: ShardBook & { sinceMs: number }, isInherited: boolean): void {
    const at = { moment: this.#momentCount, carried: 0, revision: this.#revision }
    this.#known[venue].set(book, { venue, book, market, sinceMs, isInherited, ...at })
  }

  #momentOf(heard: readonly HeardOfConnection[], count: number, nowMs: number): Moment {
    const number = ++this.#momentCount
    const since = new Map<KnownBook, number>()
    let untilMs = nowMs
    for (const { venue, untilMs: ofIt, missing } of heard) {
      untilMs = Math.min(untilMs, ofIt)
      for (const { book, market, sinceMs } of missing) {
        const known = this.#known[venue].get(book)
        if (known === undefined) continue
        known.carried = number
        known.market ??= market
        if (sinceMs !== null) since.set(known, Number.isNaN(sinceMs) ? known.sinceMs : sinceMs)
      }
    }
    for (const known of this.#all()) if (known.carried !== number) since.set(known, known.sinceMs)
    return { number, count, untilMs, since }
  }

  #books(moment: Moment | undefined): ShardBook[] {
    return [...this.#all()].map((known) => {
      const isAfter = moment === undefined || known.moment >= moment.number
      const sinceMs = isAfter ? known.sinceMs : (moment.since.get(known) ?? null)
      return { venue: known.venue, book: known.book, market: known.market, sinceMs }
    })
  }

  *#all(): Generator<KnownBook> {
    yield* this.#known.polymarket.values()
    yield* this.#known.kalshi.values()
  }
}
