// Copies chosen venues, markets and dates from one store into another. It can be ended at any moment and begun again:
// what is there already is passed over.

import type { DateRange } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { type ArchiveLoad, loadName } from '../../storage/finding/provenance.ts'
import type { Store } from '../../storage/open-store.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { copyAudits, copyMetadata, copyQuality } from './copy-beside.ts'
import { copyMarkets } from './copy-markets.ts'
import type { CopiedMarket, Copying, MarketName } from './market-copy.ts'

const MARKETS_A_PAGE = 1_000
/** Larger than every date. */
export const ALL_DATES: DateRange = { from: '0000-01-01', to: '9999-12-31' }

/** Null for all. */
export type CopyChoice = { venues: readonly Venue[]; markets: readonly string[] | null; dates: DateRange | null }

export type CopyReport = {
  markets: number
  copied: number
  same: number
  records: number
  bytes: number
  refused: ({ venue: Venue; market: string } & CopiedMarket['refused'][number])[]
}

/** `onMarket` is called after each. Rejects with DataError('store_unavailable') and DataError('disk_full'). */
export async function copyStore(
  copying: Copying,
  { venues, markets, dates }: CopyChoice,
  onMarket: (report: CopyReport, name: MarketName) => void = () => undefined,
): Promise<CopyReport> {
  const { source, target } = copying
  const report: CopyReport = { markets: 0, copied: 0, same: 0, records: 0, bytes: 0, refused: [] }
  // As they stand before the first record is copied: a load that goes on brings what it loads after that once more.
  const loads = await source.catalogue.loads()
  const names = namesOf(copying, venues, markets)
  await copyMarkets(copying, names, dates ?? ALL_DATES, async ({ name, result }) => {
    if (result.copied.length + result.same.length + result.refused.length === 0) return
    await copyBeside(copying, name, result)
    count(report, name, result)
    onMarket(report, name)
  })
  const placeOf = ({ venue, market, date }: CopyReport['refused'][number]) => `${venue} ${market} ${date ?? ''}`
  report.refused.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  // A file that counts as loaded is not loaded again, so all of it must be there.
  const isWhole = markets === null && dates === null && VENUES.every((venue) => venues.includes(venue))
  if (isWhole && report.refused.length === 0) await copyLoads(target, loads)
  await target.flushed()
  return report
}

/** One that the target knows has gone on there, most likely. */
async function copyLoads({ catalogue }: Store, loads: readonly ArchiveLoad[]): Promise<void> {
  const kept = new Map((await catalogue.loads()).map((load) => [`${load.source} ${loadName(load)}`, load]))
  const fresh = loads.filter((load) => {
    const known = kept.get(`${load.source} ${loadName(load)}`)
    return known === undefined || (known.finishedAt === null && load.finishedAt !== null)
  })
  if (fresh.length > 0) await catalogue.putLoads(fresh, [])
}

async function* namesOf(
  copying: Copying,
  venues: readonly Venue[],
  markets: readonly string[] | null,
): AsyncGenerator<MarketName> {
  for (const venue of venues) {
    for await (const market of markets ?? marketsOf(copying, venue)) yield { venue, market }
  }
}

async function* marketsOf({ source }: Copying, venue: Venue): AsyncGenerator<string> {
  for (let offset = 0; ; ) {
    source.refresh()
    const page = await source.catalogue.markets(venue, { prefix: '', offset, limit: MARKETS_A_PAGE })
    yield* page.markets
    offset += page.markets.length
    if (page.markets.length < MARKETS_A_PAGE) return
  }
}

async function copyBeside(copying: Copying, name: MarketName, copied: CopiedMarket) {
  const dates = new Set([...copied.copied.map(({ date }) => date), ...copied.same])
  try {
    await copyMetadata(copying, name)
    await copyAudits(copying, name, dates)
    await copyQuality(copying, name, dates)
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'block_corrupt')) throw error
    copied.refused.push({ date: null, why: 'damaged', what: error.message })
  }
}

function count(report: CopyReport, name: MarketName, { copied, same, refused }: CopiedMarket) {
  report.markets++
  report.copied += copied.length
  report.same += same.length
  for (const { records, bytes } of copied) {
    report.records += records
    report.bytes += bytes
  }
  report.refused.push(...refused.map((each) => ({ ...name, ...each })))
}
