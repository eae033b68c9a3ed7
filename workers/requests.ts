// What the server asks of the workers, and what they answer: plain data, since both cross threads.

import type { Venue } from '../storage/venue.ts'
import type { Task } from './task.ts'

export type Fill = 'observed' | 'none' | 'range'

/** Buckets of the top of one book over [fromMs, toMs], both inclusive. Already validated. */
export type SummaryRequest = {
  venue: Venue
  market: string
  /** Asset id on Polymarket, the ticker on Kalshi. */
  book: string
  fromMs: number
  toMs: number
  resolutionSeconds: number
  fill: Fill
  /** Nothing is carried past this moment. */
  nowMs: number
  /** Unit of the buckets' `timestamp`. */
  timestampUnit: 'ms' | 's'
  /** Only buckets in which the book is at worst one of these are given; all unless given. */
  trust?: readonly string[] | undefined
}

/** Where the next page of a range begins: the first record not yet given. */
export type Position = { date: string; record: number; revision: number }

/** A page of raw records: of one date by offset, or of [fromMs, toMs] from a position on. */
export type PageRequest = {
  venue: Venue
  market: string
  /** Only records of this book; null for all. */
  book: string | null
  limit: number
  /** A JSON array unless given; or each record on a line of its own, ended by a newline. */
  layout?: 'array' | 'lines'
  scope: { date: string; offset: number } | { fromMs: number; toMs: number; after: Position | null }
}

/** As a summary, of trades. */
export type TradeSummaryRequest = Omit<SummaryRequest, 'fill'> & { fill: 'none' | 'range' }

/** Trades of [fromMs, toMs] from a position on. */
export type TradesRequest = {
  venue: Venue
  market: string
  /** Only trades of this book; null for all, and those of none. */
  book: string | null
  fromMs: number
  toMs: number
  after: Position | null
  limit: number
}

/** What stands before the data of an answer: the figures that its envelope begins with. */
export type SummaryHead = { dataPoints: number }
export type PageHead = {
  dataCount: number
  hasMore: boolean
  /** Of the date and book; null in a range. */
  totalCount: number | null
  /** Null on the last page, and for a date. */
  next: Position | null
}

export type TradesHead = {
  dataCount: number
  /** Null on the last page. */
  nextCursor: string | null
}

/** What was encoded, as bytes: in one piece when it is short, in chunks with backpressure when it is not.
 *  A failure after the first chunk rejects the iterator; leaving it early ends the task. `follow` sets who
 *  listens to what happens while nobody asks for the next chunk. */
export type AnswerBytes = { bytes: Uint8Array } | { chunks: AsyncIterableIterator<Uint8Array>; follow?: Follow }
export type Follow = (listener: StreamListener) => void
export type StreamListener = {
  /** The client takes too long: whatever holds what it was sent should let go of it. */
  slow(): void
  /** The answer ends here: its client takes nothing, and others need the room. */
  cut(error: Error): void
}

/** The head of a task's answer, and what it encoded. */
export type Answer<Head> = Head & { data: AnswerBytes }
export type SummaryAnswer = Answer<SummaryHead>
export type PageAnswer = Answer<PageHead>

export type PoolFigures = {
  threads: number
  /** Answers that threads have in hand, those among them that wait for their clients. */
  running: number
  /** Requests that wait for a thread, and how many may: one more is refused. */
  queued: number
  queueMax: number
  completed: number
}

/** How long a thread worked on an answer, in ms: until its first bytes were ready, and until all of it was taken. */
export type ThreadTimes = { readyMs: number; endMs: number }

/** A task that has ended. `refused` found the queue full, `broken` ended with a bug, the thread of a `lost` one
 *  ended before it: none of them has times. `kind` is the task's name. */
export type TaskReport = { kind: string } & (
  | { outcome: 'answered' | 'failed'; waitMs: number; times: ThreadTimes }
  | { outcome: 'refused' | 'broken' | 'lost' }
)

/** The one door from the server to the workers. */
export interface Workers {
  /** Rejects with DataError. */
  ask<Request, Head extends object>(task: Task<Request, Head>, request: Request): Promise<Answer<Head>>
  figures(): PoolFigures
  close(): Promise<void>
}
