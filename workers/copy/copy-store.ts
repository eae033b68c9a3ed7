// Copies chosen venues, markets and dates from one store into another. It may be stopped at any time and run again: it
// skips what both stores have.

import type { DateRange, SlugAnswers } from '../../storage/catalogue.ts'
import { type ArchiveLoad, loadName } from '../../storage/finding/provenance.ts'
import type { Store } from '../../storage/open-store.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { type Copied, type Copying, copyMarket, damageIn, type LeftOut, type MarketName } from './market-copy.ts'

const MARKETS_A_PAGE = 1_000
const AT_ONCE = 8
/** Contains every date. */
export const ALL_DATES: DateRange = { from: '0000-01-01', to: '9999-12-31' }

/** `markets` is null for all markets. */
export type CopyChoice = { venues: readonly Venue[]; markets: readonly string[] | null; dates: DateRange }

/** `days` is the sum of `copied`, `same`, and the days that were left out. */
export type CopyReport = {
  markets: number
  days: number
  copied: number
  same: number
  records: number
  bytes: number
  leftOut: (MarketName & LeftOut)[]
}

/** Copies the choice. `onMarket` is called after each market. Rejects with DataError('store_unavailable') or
 *  DataError('disk_full'). */
export async function copyStore(
  copying: Copying,
  choice: CopyChoice,
  onMarket: (report: CopyReport, name: MarketName) => void = () => undefined,
): Promise<CopyReport> {
  const { source, target } = copying
  const report: CopyReport = { markets: 0, days: 0, copied: 0, same: 0, records: 0, bytes: 0, leftOut: [] }
  // Reads the list of loads before it copies the first record. A later load is not in this list: the copy may lack its
  // records, so that load must be loaded again.
  const loads = await source.catalogue.loads()
  const copy = async (name: MarketName) => {
    const copied = await copyWhole(copying, name, choice.dates)
    if (count(report, name, copied)) onMarket(report, name)
  }
  const names: MarketName[] = []
  for await (const name of namesOf(source, choice)) {
    if (names.push(name) === AT_ONCE) await copyAll(names.splice(0), copy)
  }
  await copyAll(names, copy)
  const placeOf = ({ venue, market, date }: MarketName & LeftOut) => `${venue} ${market} ${date ?? ''}`
  report.leftOut.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  // Copies the loads only with a whole store: a file in this list is not loaded again, so the copy must have all its
  // records.
  const { venues, markets, dates } = choice
  const isWhole = markets === null && dates === ALL_DATES && VENUES.every((venue) => venues.includes(venue))
  if (isWhole && report.leftOut.length === 0) await copyLoads(target, loads)
  await target.flushed()
  return report
}

/** Copies several markets at a time, since most of the time is spent waiting for the cluster. If a market fails,
 *  rejects after all have ended. */
async function copyAll(names: readonly MarketName[], copy: (name: MarketName) => Promise<void>): Promise<void> {
  for (const ended of await Promise.allSettled(names.map(copy))) if (ended.status === 'rejected') throw ended.reason
}

/** Copies loads that the target does not have or has not finished. Keeps the target's other loads, because they are
 *  probably newer. */
async function copyLoads({ catalogue }: Store, loads: readonly ArchiveLoad[]): Promise<void> {
  const known = new Map((await catalogue.loads()).map((load) => [`${load.source} ${loadName(load)}`, load]))
  const fresh = loads.filter((load) => {
    const stored = known.get(`${load.source} ${loadName(load)}`)
    return stored === undefined || (stored.finishedAt === null && load.finishedAt !== null)
  })
  if (fresh.length > 0) await catalogue.putLoads(fresh)
}

async function* namesOf(source: Store, { venues, markets }: CopyChoice): AsyncGenerator<MarketName> {
  for (const venue of venues) {
    for (const market of markets ?? (await marketsOf(source, venue))) yield { venue, market }
  }
}

/** Reads all names at once: a market that is removed while others are copied would move the later pages. */
async function marketsOf(source: Store, venue: Venue): Promise<string[]> {
  source.refresh()
  const all: string[] = []
  for (;;) {
    const { markets } = await source.catalogue.markets(venue, {
      prefix: '',
      offset: all.length,
      limit: MARKETS_A_PAGE,
    })
    all.push(...markets)
    if (markets.length < MARKETS_A_PAGE) return all
  }
}

/** Copies a market's days. Then copies what is known besides the records, for dates that both stores have now. */
async function copyWhole(copying: Copying, name: MarketName, range: DateRange): Promise<Copied> {
  const copied: Copied = { copied: [], same: [], leftOut: [] }
  try {
    await copyMarket(copying, name, range, copied)
    const dates = new Set([...copied.copied.map(({ date }) => date), ...copied.same])
    if (dates.size === 0) return copied
    await copyMetadata(copying, name)
    await copyAudits(copying, name, dates)
  } catch (error) {
    copied.leftOut.push({ date: null, why: 'damaged', what: damageIn(error) })
  }
  return copied
}

/** Adds the result of a market to the report. Returns false if the market has none of the chosen days. */
function count(report: CopyReport, name: MarketName, { copied, same, leftOut }: Copied): boolean {
  const days = copied.length + same.length + leftOut.filter(({ date }) => date !== null).length
  report.leftOut.push(...leftOut.map((each) => ({ ...name, ...each })))
  if (days === 0) return false
  report.markets++
  report.days += days
  report.copied += copied.length
  report.same += same.length
  for (const { records, bytes } of copied) {
    report.records += records
    report.bytes += bytes
  }
  return true
}

/** Copies what is known of a market besides its records and audits. Copying it again changes nothing. */
async function copyMetadata({ source, target }: Copying, { venue, market }: MarketName): Promise<void> {
  const known = await source.catalogue.knownMarket(venue, market)
  if (known === undefined) return
  const { card, said, saidMs, loadedMs, event } = known
  await target.catalogue.putMetadata({ markets: [{ venue, market, card, said, saidMs }], events: [] }, loadedMs)
  if (event?.said) {
    const { loadedMs: eventLoadedMs, ...rest } = event.said
    await target.catalogue.putMetadata({ markets: [], events: [{ venue, event: event.id, ...rest }] }, eventLoadedMs)
  }
  const slugs = new Set([card.slug, event?.id].filter((slug) => typeof slug === 'string' && slug !== ''))
  const answers: SlugAnswers = { events: [], markets: [] }
  for (const slug of slugs) {
    const answer = await source.catalogue.slug(slug!)
    if (answer === undefined) continue
    if (answer.event?.slug === slug) answers.events.push(answer)
    else if (answer.markets[0]?.slug === slug) answers.markets.push(answer)
  }
  if (answers.events.length + answers.markets.length > 0) await target.catalogue.putSlugs(answers)
}

/** Copies the audits of `dates`. Both stores must have the same records of these dates. */
async function copyAudits(
  { source, target }: Copying,
  { venue, market }: MarketName,
  dates: ReadonlySet<string>,
): Promise<void> {
  const audits = (await source.catalogue.audits(venue, market)).filter(({ date }) => dates.has(date))
  if (audits.length > 0) await target.catalogue.putAudits(audits)
}
