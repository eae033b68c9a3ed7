// `markets`: the stored markets, one per line.

import { InvalidArgumentError } from 'commander'
import type { Catalogue, MarketEntry } from '../../../storage/catalogue.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { PARAMETERS } from '../../http/parameters/venue-parameters.ts'
import { venueOption } from '../questions/market-question.ts'
import type { CommandOptions } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { indexCommand } from './index-command.ts'
import type { Answer } from './index-output.ts'

type MarketsOptions = CommandOptions & { venue?: Venue; prefix?: string; offset: number; limit: number }
type Listed = Answer & { markets: Row[]; offset: number; total_count: number }
type Market = { venue: Venue; market: string }

const LIMIT = 100

export const addMarketsCommand = indexCommand<MarketsOptions>({
  name: 'markets',
  description: 'list the stored markets with their days and records',
  addFlags: (command) =>
    command
      .addOption(venueOption())
      .option('--prefix <text>', 'only markets whose id begins with this, in upper or lower case')
      .option('--limit <count>', 'maximum number of markets', wholeNumber(1), LIMIT)
      .option('--offset <count>', 'markets to skip', wholeNumber(0), 0),
  async read({ catalogue }, { venue, prefix = '', offset, limit }) {
    const venues = venue === undefined ? VENUES : [venue]
    const { found, totalCount } = await find(catalogue, { venues, prefix, offset, limit })
    const markets: Row[] = []
    for (const market of found) {
      const entry = await catalogue.market(market.venue, market.market)
      if (entry !== undefined) markets.push(rowOf(market, entry))
    }
    return { markets, offset, limit, total_count: totalCount }
  },
  entries: (answer) => (answer as Listed).markets,
  table: [
    ['venue', 'VENUE'],
    ['market', 'MARKET'],
    ['first_date', 'FIRST'],
    ['last_date', 'LAST'],
    ['days', 'DAYS'],
    ['records', 'RECORDS'],
  ],
  note(answer, _options) {
    const { markets, offset, total_count: totalCount } = answer as Listed
    return noteOn(markets.length, { offset, totalCount })
  },
  examples: ['backbook markets --venue kalshi --prefix kxgold', 'backbook markets --json --limit 1000000'],
})

function noteOn(count: number, { offset, totalCount }: { offset: number; totalCount: number }): string | undefined {
  if (totalCount === 0) return 'no such market is stored'
  const shown = `${grouped(count)} of ${grouped(totalCount)} markets`
  if (offset >= totalCount) return `${shown}: --offset ${offset} is after the last one`
  const next = offset + count
  return next < totalCount ? `${shown}: --offset ${next} shows the next ones, a higher --limit more at once` : undefined
}

type Wanted = { venues: readonly Venue[]; prefix: string; offset: number; limit: number }

/** Returns a page of the matching markets, one venue after the other. */
async function find(catalogue: Catalogue, wanted: Wanted): Promise<{ found: Market[]; totalCount: number }> {
  const found: Market[] = []
  let skipped = 0
  let totalCount = 0
  for (const venue of wanted.venues) {
    const prefix = normalizedPrefix(venue, wanted.prefix)
    const skip = wanted.offset - skipped
    const page = { prefix, offset: Math.max(0, skip), limit: Math.max(1, wanted.limit - found.length) }
    const { markets, totalCount: count } = await catalogue.markets(venue, page)
    if (found.length < wanted.limit) found.push(...markets.map((market) => ({ venue, market })))
    skipped += Math.min(skip, count)
    totalCount += count
  }
  return { found, totalCount }
}

function normalizedPrefix(venue: Venue, prefix: string): string {
  return prefix === '' ? '' : PARAMETERS[venue].normalizePrefix(prefix)
}

type Row = ReturnType<typeof rowOf>

const rowOf = ({ venue, market }: Market, { firstDate, lastDate, dateCount, recordCount }: MarketEntry) => ({
  ...{ venue, market, first_date: firstDate, last_date: lastDate, days: dateCount, records: recordCount },
})

function wholeNumber(minimum: number): (text: string) => number {
  return (text) => {
    if (/^[0-9]{1,9}$/.test(text) && Number(text) >= minimum) return Number(text)
    throw new InvalidArgumentError(`must be a whole number from ${minimum} to 999999999`)
  }
}
