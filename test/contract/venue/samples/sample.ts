// A sample of a venue for every-venue.test.ts: messages as the venue sends them, and what they mean.

import type { RecordKind } from '../../../../storage/format/shape.ts'

/** The date of all samples. Messages start at noon, one second apart. */
export const DAY = '2026-08-10'
export const NOON = Date.parse(`${DAY}T12:00:00Z`)

export type Sample = {
  /** The market's id in its stored spelling, other spellings that a request may have, and an invalid id. */
  market: string
  spellings: readonly string[]
  invalid: string
  /** The book that the messages belong to. */
  book: string
  /** Messages as the venue prints them, in order of time. The last one is a snapshot of both sides. */
  messages: readonly { text: string; kind: RecordKind; timeMs: number }[]
  /** Other texts that the venue sends. None of them is about a market. */
  skipped: readonly string[]
  /** The levels after the last message, best prices first. */
  bids: readonly [price: number, size: number][]
  asks: readonly [price: number, size: number][]
  /** The published document of the market, a word of its title, and its event. */
  document: object
  word: string
  event: string
  /** The section of record.toml that records this book alone, without addresses. */
  section: Readonly<Record<string, unknown>>
  /** Returns the venue's replies to a command of the recorder, which come before the messages. Null if the command
   *  starts no messages. */
  answer: (command: string) => readonly string[] | null
}

/** Returns the time at which the message with this index is sent, Unix ms. */
export const sentMs = (index: number): number => NOON + 1_000 * index
