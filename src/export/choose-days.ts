// Chooses the markets and dates of an export, before anything is written.

import type { Catalogue, DateRange, StoredDay } from '../../storage/catalogue.ts'
import type { KnownMarket } from '../../storage/finding/finding.ts'
import type { Venue } from '../../storage/venue.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { isUtcDay, mustBe } from '../http/parameters/parameter.ts'
import { PARAMETERS } from '../http/parameters/venue-parameters.ts'

export type Choice = {
  venue: Venue
  markets: readonly string[]
  event: string | undefined
  /** The dates to export; all stored dates if empty. */
  dates: readonly DateRange[]
  /** The only book to export of each market; undefined for all books. */
  assetId: string | undefined
}

export type ChosenMarket = {
  venue: Venue
  market: string
  known: KnownMarket | undefined
  dates: readonly string[]
}

/** Parses `D` or `A..B`. Throws CommandError. */
export function dateRange(given: string): DateRange {
  const [from, to = from, ...more] = given.split('..')
  if (more.length > 0 || !isUtcDay(from!) || !isUtcDay(to!)) {
    throw new CommandError(
      `--date ${mustBe('a UTC date written YYYY-MM-DD, or two of them as A..B', given)}`,
      EXIT.usage,
    )
  }
  if (from! > to!)
    throw new CommandError(`--date ${mustBe('a range whose first date is not after its last', given)}`, EXIT.usage)
  return { from: from!, to: to! }
}

/** Returns each market once, with its dates ascending. Rejects with CommandError if a named market has no stored data
 *  on any of the dates. */
export async function chooseDays(catalogue: Catalogue, choice: Choice): Promise<ChosenMarket[]> {
  const { venue, event, dates, assetId } = choice
  const named = choice.markets.map((market) => marketId(venue, market))
  const ofEvent = event === undefined ? [] : await marketsOf(catalogue, venue, event)
  const chosen: ChosenMarket[] = []
  for (const market of new Set([...named, ...ofEvent])) {
    const stored = await storedDays(catalogue, venue, market, dates)
    const wanted = stored.filter(({ head }) => assetId === undefined || head.books.some(({ id }) => id === assetId))
    if (wanted.length === 0 && named.includes(market)) throw nothingStored({ ...choice, market }, stored)
    if (wanted.length === 0) continue
    const known = await catalogue.knownMarket(venue, market)
    chosen.push({ venue, market, known, dates: wanted.map(({ date }) => date) })
  }
  if (chosen.length > 0) return chosen
  throw new CommandError(
    `nothing is stored of the markets of the ${venue} event ${event}${onDates(dates)}`,
    EXIT.notStored,
  )
}

function marketId(venue: Venue, given: string): string {
  const { id, normalizeId } = PARAMETERS[venue]
  if (!id.matches(given)) throw new CommandError(`--market ${mustBe(id.accepts, given)}`, EXIT.usage)
  return normalizeId(given)
}

async function marketsOf(catalogue: Catalogue, venue: Venue, event: string): Promise<string[]> {
  const known = await catalogue.event(venue, event)
  if (known === undefined) throw new CommandError(`no market is known of the ${venue} event ${event}`, EXIT.notStored)
  return known.markets
}

async function storedDays(
  catalogue: Catalogue,
  venue: Venue,
  market: string,
  dates: readonly DateRange[],
): Promise<StoredDay[]> {
  if (dates.length === 0) return catalogue.heads(venue, market)
  const days = new Map<string, StoredDay>()
  for (const range of dates) for (const day of await catalogue.heads(venue, market, range)) days.set(day.date, day)
  return Array.from(days.values()).sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** Returns the error for a market without stored data. `stored` holds the stored days of the market's other assets; the
 *  message names these assets. */
function nothingStored(
  { venue, market, dates, assetId }: Choice & { market: string },
  stored: readonly StoredDay[],
): CommandError {
  const asset = assetId === undefined ? '' : `the asset ${assetId} of `
  const others = new Set(stored.flatMap(({ head }) => head.books.map(({ id }) => id)))
  const instead = others.size === 0 ? '' : `, but of ${[...others].sort().join(' and ')}`
  return new CommandError(
    `nothing is stored of ${asset}the ${venue} market ${market}${onDates(dates)}${instead}`,
    EXIT.notStored,
  )
}

function onDates(dates: readonly DateRange[]): string {
  const given = dates.map(({ from, to }) => (from === to ? from : `${from}..${to}`))
  return given.length === 0 ? '' : ` on ${given.join(', ')}`
}
