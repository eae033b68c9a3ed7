// `markets`: the stored markets, one per line.

import { InvalidArgumentError } from 'commander'
import type { Catalogue, MarketEntry } from '../../../storage/catalogue.ts'
import { DataError } from '../../../storage/failures.ts'
import type { Store } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { PARAMETERS } from '../../http/parameters/venue-parameters.ts'
import { venueOption } from '../questions/market-question.ts'
import type { CommandOptions } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { CommandError, EXIT, SEE_VERIFY } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { indexCommand } from './index-command.ts'
import type { Answer } from './index-output.ts'

type MarketsOptions = CommandOptions & {
  venue?: Venue
  prefix?: string
  search?: string
  offset: number
  limit: number
}
type Listed = Answer & { markets: Row[]; offset: number; total_count: number }
type Market = { venue: Venue; market: string }

const LIMIT = 100
/** Market ids read at once during a search over all of them. */
const READ_AT_ONCE = 100_000

export const addMarketsCommand = indexCommand<MarketsOptions>({
  name: 'markets',
  description: 'list the stored markets with their days, records and bytes',
  addFlags: (command) =>
    command
      .addOption(venueOption())
      .option('--prefix <text>', 'only markets whose id begins with this, in any case')
      .option('--search <text>', 'only markets whose id contains this, in any case')
      .option('--limit <count>', 'most markets to list', wholeNumber(1), LIMIT)
      .option('--offset <count>', 'markets to skip', wholeNumber(0), 0),
  async read(store, { venue, prefix = '', search, offset, limit }) {
    const venues = venue === undefined ? VENUES : [venue]
    const { found, totalCount } = await find(store.catalogue, { venues, prefix, search, offset, limit })
    const markets: Row[] = []
    for (const market of found) markets.push(await describe(store, market))
    return { markets, offset, limit, total_count: totalCount }
  },
  entries: (answer) => (answer as Listed).markets,
  table: (answer) => {
    const cells = (answer as Listed).markets.map((row) => [
      ...[row.venue, row.market, row.first_date, row.last_date],
      ...[row.days, row.records, row.bytes].map((value) => (value === null ? null : grouped(value))),
    ])
    return table(['VENUE', 'MARKET', 'FIRST', 'LAST', 'DAYS', 'RECORDS', 'BYTES'], cells)
  },
  note(answer, _options) {
    const { markets, offset, total_count: totalCount } = answer as Listed
    const damaged = markets.filter(({ records }) => records === null).length
    if (damaged > 0) throw new CommandError(`damaged markets among these: ${damaged}: ${SEE_VERIFY}`, EXIT.failed)
    return noteOn(markets.length, { offset, totalCount })
  },
  examples: ['backbook markets --venue kalshi --search gold', 'backbook markets --json --limit 1000000'],
})

function noteOn(count: number, { offset, totalCount }: { offset: number; totalCount: number }): string | undefined {
  if (totalCount === 0) return 'no such market is stored'
  const shown = `${grouped(count)} of ${grouped(totalCount)} markets`
  if (offset >= totalCount) return `${shown}: --offset ${offset} is after the last one`
  const next = offset + count
  return next < totalCount ? `${shown}: --offset ${next} shows what follows, --limit more at once` : undefined
}

type Wanted = { venues: readonly Venue[]; prefix: string; search: string | undefined; offset: number; limit: number }

/** Returns a page of the matching markets, one venue after the other. */
async function find(catalogue: Catalogue, wanted: Wanted): Promise<{ found: Market[]; totalCount: number }> {
  const found: Market[] = []
  let skipped = 0
  let totalCount = 0
  for (const venue of wanted.venues) {
    const prefix = normalizedPrefix(venue, wanted.prefix)
    const page = (offset: number, limit: number) => catalogue.markets(venue, { prefix, offset, limit })
    if (wanted.search === undefined) {
      const skip = wanted.offset - skipped
      const { markets, totalCount: count } = await page(Math.max(0, skip), Math.max(1, wanted.limit - found.length))
      if (found.length < wanted.limit) found.push(...markets.map((market) => ({ venue, market })))
      skipped += Math.min(skip, count)
      totalCount += count
      continue
    }
    const search = wanted.search.toLowerCase()
    for (let read = 0, count = Number.POSITIVE_INFINITY; read < count; read += READ_AT_ONCE) {
      const { markets, totalCount: all } = await page(read, READ_AT_ONCE)
      count = all
      for (const market of markets) {
        if (!market.toLowerCase().includes(search)) continue
        totalCount++
        if (totalCount > wanted.offset && found.length < wanted.limit) found.push({ venue, market })
      }
    }
  }
  return { found, totalCount }
}

function normalizedPrefix(venue: Venue, prefix: string): string {
  return prefix === '' ? '' : PARAMETERS[venue].normalizePrefix(prefix)
}

type Row = Awaited<ReturnType<typeof describe>>

async function describe({ catalogue }: Store, { venue, market }: Market) {
  const entry = await unlessDamaged(() => catalogue.market(venue, market))
  const records = await unlessDamaged(() => recordCount(catalogue, venue, market))
  const bytes = await catalogue.bytesOf(venue, market)
  return { venue, market, ...datesOf(entry), records, bytes }
}

const datesOf = (entry: MarketEntry | null | undefined) => ({
  first_date: entry?.firstDate ?? null,
  last_date: entry?.lastDate ?? null,
  days: entry?.dateCount ?? null,
})

const recordCount = async (catalogue: Catalogue, venue: Venue, market: string): Promise<number> =>
  (await catalogue.heads(venue, market)).reduce((sum, { head }) => sum + head.recordCount, 0)

/** Returns null if the read data is damaged, so that the other markets are still shown. */
async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DataError && error.code === 'block_corrupt') return null
    throw error
  }
}

function wholeNumber(minimum: number): (text: string) => number {
  return (text) => {
    if (/^[0-9]{1,9}$/.test(text) && Number(text) >= minimum) return Number(text)
    throw new InvalidArgumentError(`Accepted is a whole number from ${minimum} to 999999999.`)
  }
}
