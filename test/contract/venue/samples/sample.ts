// What the contract's suite needs to know of a venue: messages as it sends them, and what they mean.

import type { RecordKind } from '../../../../storage/format/shape.ts'

/** The day of all samples; messages start at noon and are a second apart. */
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
  /** Other texts that the venue sends. They are not about a market. */
  skipped: readonly string[]
  /** The levels after the last message, best prices first. */
  bids: readonly [price: number, size: number][]
  asks: readonly [price: number, size: number][]
  /** What the venue publishes about the market, a word of its title, and the event that it belongs to. */
  document: object
  word: string
  event: string
  /** What records the book alone: the section of record.toml, without addresses. */
  section: Readonly<Record<string, unknown>>
  /** What the venue answers a command of the recorder, before it sends the messages; null if it sends none because of
   *  it. */
  answer: (command: string) => readonly string[] | null
}

/** When the message with this index is sent. */
export const sentMs = (index: number): number => NOON + 1_000 * index
