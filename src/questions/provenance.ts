// What answers say of records that are from archives: which archive, how many, how good its rows are, and who published
// it. Of a day or a market without any they say nothing.

import { Type } from '@sinclair/typebox'
import type { Catalogue } from '../../storage/catalogue.ts'
import type { ArchiveLoad, DayQuality, SourceHour } from '../../storage/finding/provenance.ts'
import { sourcesOf } from '../../storage/format/block-origins.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Venue } from '../../storage/venue.ts'
import { choice, count, flag, named, orNull, text } from '../openapi/field.ts'

const CLOCKS = ['frame', 'batch', 'none'] as const
const ORDERS = ['sequence', 'file', 'none'] as const

/** Of a day, by source; undefined where all records are the user's own. */
export function daySources(head: PartitionHead, quality: DayQuality | undefined) {
  const sources = sourcesOf(head)
  if (sources.length === 0) return undefined
  return sources.map(({ source, records }) => {
    const hours = (quality?.hours ?? []).filter((hour) => hour.source === source)
    return { source, records, quality: hours.map(hourQuality) }
  })
}

const hourQuality = ({ hour, rows, changes, removals, ...checked }: SourceHour) => ({
  hour,
  rows,
  best_prices_agreed: checked.bestPricesAgreed,
  best_prices_checked: checked.bestPricesChecked,
  snapshots_agreed: checked.snapshotsAgreed,
  snapshots_checked: checked.snapshotsChecked,
  changes,
  removals,
})

/** What is known of the archives that records of a market are from, an entry for each that its files say the same of.
 *  Heads are read only where something was imported at all. */
export async function marketSources(
  catalogue: Pick<Catalogue, 'loads' | 'heads'>,
  venue: Venue,
  market: string,
): Promise<ReturnType<typeof sourceFacts>[]> {
  const loads = await catalogue.loads()
  if (loads.length === 0) return []
  const heads = await catalogue.heads(venue, market)
  const sources = new Set(heads.flatMap(({ head }) => sourcesOf(head).map(({ source }) => source)))
  const alike = Map.groupBy(
    loads.filter(({ source, markets }) => sources.has(source) && (markets === null || markets.includes(market))),
    (load) => JSON.stringify(sourceFacts(load, 0)),
  )
  const facts = [...alike.values()].map((same) => sourceFacts(same[0]!, same.length))
  return facts.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0))
}

const sourceFacts = (load: ArchiveLoad, files: number) => ({
  source: load.source,
  format: load.format,
  licence: load.licence,
  attribution: load.attribution,
  clock: load.clock,
  order: load.order,
  hash_kept: load.hashKept,
  is_rebuilt: load.isRebuilt,
  repairs: load.repairs,
  files,
})

const sourceName = text('What its records are called', 'pmxt-v2')

const qualityField = named('SourceQuality', 'What the rows of an hour say of themselves, before they were loaded', {
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Of the day, UTC', example: 17 }),
  rows: count('Rows of the archive', 69),
  best_prices_agreed: count('Rows that say best prices, of a known book, which has the same after them', 66),
  best_prices_checked: count('Rows that say best prices, of a known book', 66),
  snapshots_agreed: count('Snapshots that differ from the known book before them in at most one level', 0),
  snapshots_checked: count('Snapshots of a known book', 0),
  changes: count('Changes of levels', 66),
  removals: count('Changes that remove a level', 12),
})

export const daySourcesField = Type.Optional(
  Type.Array(
    named('DateSource', 'Records of an archive on one date', {
      source: sourceName,
      records: count('Records of the date that are from it', 69),
      quality: Type.Array(qualityField, { description: 'An entry an hour, ascending' }),
    }),
    { description: 'Archives that records of the date are from; left out where all are your own' },
  ),
)

export const marketSourcesField = Type.Optional(
  Type.Array(
    named('MarketSource', 'An archive that records of the market are from', {
      source: sourceName,
      format: text('The form of its files', 'pmxt-v2'),
      licence: orNull(text('The licence, null where none is stated', 'CC BY 4.0')),
      attribution: orNull(text('Whom to name', 'pmxt (archive.pmxt.dev)')),
      clock: choice(CLOCKS, 'What a time of receipt is: of its frame, of the batch it was written with, or none'),
      order: choice(ORDERS, 'What gives the order of rows: a number, their place in the file, or nothing'),
      hash_kept: flag("Whether its books and changes have the venue's hash", false),
      is_rebuilt: flag('Whether its messages are put together from columns', true),
      repairs: Type.Array(Type.String(), { description: 'Repairs that were made while it was loaded' }),
      files: count('Files that were loaded of it, of this and other markets', 1),
    }),
    { description: 'Archives that records of the market are from; left out where all are your own' },
  ),
)
