// Numbers of markets, in the order in which they became known: postings refer to markets by number. Beside each number
// the market's newest stored day, which decides what a search returns first.
//
//   'number', venue, market  → number
//   'name', venue, number    → market
//   'count', venue           → numbers assigned so far
//   'last', venue, part      → newest days of 512 numbers: days since 1970 plus one, 0 if nothing is stored,
//                              GONE if the market is no longer known

import { DAY_MS, dateStartMs } from '../../units.ts'
import type { Venue } from '../../venue.ts'
import type { Databases, Key } from '../values/databases.ts'
import { getPacked, openBytes, putPacked, sealBytes } from './packed-values.ts'
import { NUMBERS_MAX } from './postings.ts'

const PART_NUMBERS = 512
export const GONE = 0xffff

export const dayOf = (date: string | null): number => (date === null ? 0 : dateStartMs(date) / DAY_MS + 1)

export const numberOf = (databases: Databases, venue: Venue, market: string): number | undefined =>
  getPacked<number>(databases, 'finding', ['number', venue, market])

export const nameOf = (databases: Databases, venue: Venue, number: number): string | undefined =>
  getPacked<string>(databases, 'finding', ['name', venue, number])

export const countOf = (databases: Databases, venue: Venue): number =>
  getPacked<number>(databases, 'finding', ['count', venue]) ?? 0

/** Collects changes within one write transaction; `finish` writes the values that several changes share. */
export class MarketNumbers {
  readonly #databases: Databases
  readonly #counts = new Map<Venue, number>()
  readonly #lastDays = new Map<string, { key: Key; days: Uint16Array }>()

  constructor(databases: Databases) {
    this.#databases = databases
  }

  /** Assigns a number to a market that has none. */
  give(venue: Venue, market: string): number {
    const number = this.#counts.get(venue) ?? countOf(this.#databases, venue)
    if (number > NUMBERS_MAX) throw new RangeError('there are more markets than can be numbered')
    this.#counts.set(venue, number + 1)
    putPacked(this.#databases, 'finding', ['number', venue, market], number)
    putPacked(this.#databases, 'finding', ['name', venue, number], market)
    this.setDay(venue, number, 0)
    return number
  }

  /** Removes a market. Its number is not used again. */
  remove(venue: Venue, market: string, number: number): void {
    this.#databases.finding.removeSync(['number', venue, market])
    this.#databases.finding.removeSync(['name', venue, number])
    this.setDay(venue, number, GONE)
  }

  setDay(venue: Venue, number: number, day: number): void {
    const key: Key = ['last', venue, Math.floor(number / PART_NUMBERS)]
    const name = String(key)
    let part = this.#lastDays.get(name)
    if (part === undefined) {
      part = { key, days: partOf(this.#databases, key) ?? new Uint16Array(PART_NUMBERS).fill(GONE) }
      this.#lastDays.set(name, part)
    }
    part.days[number % PART_NUMBERS] = day
  }

  finish(): void {
    for (const [venue, count] of this.#counts) putPacked(this.#databases, 'finding', ['count', venue], count)
    for (const { key, days } of this.#lastDays.values()) {
      this.#databases.finding.putSync(key, sealBytes('finding', key, new Uint8Array(days.buffer)))
    }
  }
}

/** Returns the last days of the numbers 0 to count - 1. */
export function readLastDays(databases: Databases, venue: Venue, count: number): Uint16Array {
  const parts = Math.ceil(count / PART_NUMBERS)
  const days = new Uint16Array(parts * PART_NUMBERS).fill(GONE)
  for (let part = 0; part < parts; part++) {
    const stored = partOf(databases, ['last', venue, part])
    if (stored !== undefined) days.set(stored, part * PART_NUMBERS)
  }
  return days.subarray(0, count)
}

function partOf({ finding }: Databases, key: Key): Uint16Array | undefined {
  const bytes = finding.get(key)
  return bytes === undefined ? undefined : new Uint16Array(openBytes('finding', key, bytes).buffer)
}
