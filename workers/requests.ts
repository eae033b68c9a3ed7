// Requests from the server to the workers, and their answers: plain data that crosses threads.

import type { Venue } from '../storage/venue.ts'
import type { Task } from './task.ts'

export type Fill = 'observed' | 'none' | 'range'

/** Buckets of the top of one book over [fromMs, toMs], both inclusive. The values are already validated. */
export type SummaryRequest = {
  venue: Venue
  market: string
  /** Asset id on Polymarket, ticker on Kalshi. */
  book: string
  fromMs: number
  toMs: number
  resolutionSeconds: number
  fill: Fill
  /** The current time, Unix ms. No state is carried forward past this time. */
  nowMs: number
  /** Unit of the buckets' `timestamp`. */
  timestampUnit: 'ms' | 's'
  /** The answer has only buckets in which the book's worst trust is in this list; all buckets if absent. */
  trust?: readonly string[] | undefined
}

/** Where the next page of a range begins: the first record that was not returned yet. */
export type Position = { date: string; record: number; revision: number }

/** A page of raw records: either of one date from an offset on, or of [fromMs, toMs] from a position on. */
export type PageRequest = {
  venue: Venue
  market: string
  /** Only records of this book; null for all. */
  book: string | null
  limit: number
  /** A JSON array (the default), or one record per line, each ended by a newline. */
  layout?: 'array' | 'lines'
  scope: { date: string; offset: number } | { fromMs: number; toMs: number; after: Position | null }
}

/** A summary of trades. */
export type TradeSummaryRequest = Omit<SummaryRequest, 'fill'> & { fill: 'none' | 'range' }

/** Trades of [fromMs, toMs] from a position on. */
export type TradesRequest = {
  venue: Venue
  market: string
  /** Only trades of this book; null for all trades, including trades that belong to no book. */
  book: string | null
  fromMs: number
  toMs: number
  after: Position | null
  limit: number
}

/** Head of an answer, sent before the data: the counts at the start of the answer's envelope. */
export type SummaryHead = { dataPoints: number }
export type PageHead = {
  dataCount: number
  hasMore: boolean
  /** Number of records of the date and book; null for a range. */
  totalCount: number | null
  /** Position of the next page of a range. Null on the last page, and for a date. */
  next: Position | null
}

export type TradesHead = {
  dataCount: number
  /** Null on the last page. */
  nextCursor: string | null
}

/** Encoded bytes of an answer: in one piece if short, otherwise in chunks with backpressure. A failure after the first
 *  chunk rejects the iterator. Leaving the iterator early ends the task. `follow` sets a listener for events that occur
 *  while no chunk is requested. */
export type AnswerBytes = { bytes: Uint8Array } | { chunks: AsyncIterableIterator<Uint8Array>; follow?: Follow }
export type Follow = (listener: StreamListener) => void
export type StreamListener = {
  /** Called when the client is too slow. Holders of the answer's data should release it. */
  slow(): void
  /** Called when the answer is cut off, because its client takes nothing and other answers need the memory. */
  cut(error: Error): void
}

/** The head of a task's answer, and its encoded data. */
export type Answer<Head> = Head & { data: AnswerBytes }
export type SummaryAnswer = Answer<SummaryHead>
export type PageAnswer = Answer<PageHead>

export type PoolStats = {
  threads: number
  /** Answers that threads work on, including those that wait for their clients. */
  running: number
  /** Number of requests that wait for a thread, and its maximum. Further requests are refused. */
  queued: number
  queueMax: number
  completed: number
}

/** How long a thread worked on an answer until its first bytes were ready, in ms. */
export type ThreadTimes = { readyMs: number }

/** A task that has ended. `kind` is the task's name. `refused`: the queue was full. `broken`: the task ended with a
 *  bug. `lost`: the task's thread ended first. These three outcomes have no times. */
export type TaskReport = { kind: string } & (
  | { outcome: 'answered' | 'failed'; waitMs: number; times: ThreadTimes }
  | { outcome: 'refused' | 'broken' | 'lost' }
)

/** The server's only interface to the workers. */
export interface Workers {
  /** Rejects with DataError. */
  ask<Request, Head extends object>(task: Task<Request, Head>, request: Request): Promise<Answer<Head>>
  stats(): PoolStats
  close(): Promise<void>
}
