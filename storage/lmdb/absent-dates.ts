// Whether what was not found was never stored: told by what else is stored of the market. An index page of LMDB has no
// checksum; a changed key would otherwise make a market or a day vanish, which is a wrong answer.

import { damageOf } from '../damage.ts'
import type { Venue } from '../venue.ts'
import { type Databases, KEY_END } from './databases.ts'
import { openMarket } from './stored-values.ts'

export class AbsentDates {
  readonly #databases: Databases

  constructor(databases: Databases) {
    this.#databases = databases
  }

  /** For a market that has no entry. Throws DataError('block_corrupt') where days of it are stored. */
  assertNoDates(venue: Venue, market: string): void {
    const [date] = this.#dates(venue, market, 1)
    if (date === undefined) return
    throw damageOf(`entry of the ${venue} market ${market}`, `it is missing, though ${date} is stored of the market`)
  }

  /** For dates of a range that have no head. Throws DataError('block_corrupt') where the market's entry counts more
   *  days than there are. */
  assertAbsent(venue: Venue, market: string, range: { from: string; to: string }): void {
    const bytes = this.#databases.markets.get([venue, market])
    if (bytes === undefined) return this.assertNoDates(venue, market)
    const entry = openMarket([venue, market], bytes)
    if (range.to < entry.firstDate || range.from > entry.lastDate) return
    const dates = [...this.#dates(venue, market)]
    const isWhole = dates.length === entry.dateCount && dates[0] === entry.firstDate && dates.at(-1) === entry.lastDate
    if (isWhole) return
    throw damageOf(
      `list of days of the ${venue} market ${market}`,
      `${dates.length} of ${entry.dateCount} days from ${entry.firstDate} to ${entry.lastDate} were found`,
    )
  }

  *#dates(venue: Venue, market: string, limit?: number): Iterable<string> {
    const range = { start: [venue, market, ''], end: [venue, market, KEY_END], ...(limit && { limit }) }
    for (const key of this.#databases.heads.getKeys(range)) yield String(key[2])
  }
}
