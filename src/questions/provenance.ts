// What answers say of records that are from archives: which archive, how many, and who published it. Of a day or a
// market without any they say nothing.

import { Type } from '@sinclair/typebox'
import type { Catalogue, StoredDay } from '../../storage/catalogue.ts'
import type { ArchiveLoad } from '../../storage/finding/provenance.ts'
import { archivesOf, type SourceCount } from '../../storage/format/head-layers.ts'
import { type PartitionHead, type Span, spanEndMs } from '../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { choice, count, flag, named, orNull, text, unixMs } from '../openapi/field.ts'

const CLOCKS = ['frame', 'batch', 'none'] as const
const ORDERS = ['sequence', 'file', 'none'] as const

/** Of the days that an archive tells of; days of the user's own alone are not there. */
export async function sourcesByDate(catalogue: Pick<Catalogue, 'loads'>, market: string, days: readonly StoredDay[]) {
  const found = days.map(({ date, head }) => ({ date, sources: archivesOf(head) })).filter(({ sources }) => sources[0])
  if (found.length === 0) return new Map<string, ReturnType<typeof daySource>[]>()
  const loads = Map.groupBy((await catalogue.loads()).filter(mayHold(market)), ({ source }) => source)
  return new Map(
    found.map(({ date, sources }) => {
      return [date, sources.map((each) => daySource(each, loads.get(each.source) ?? []))]
    }),
  )
}

/** Whether a file may have records of the market. */
const mayHold =
  (market: string) =>
  ({ markets }: ArchiveLoad): boolean =>
    markets === null || markets.includes(market)

/** Files of one archive may say different things. */
const eachOnce = (said: (string | null)[]): string | null => [...new Set(said.filter(Boolean))].join('; ') || null

/** Where some files have a licence and others none, that is said too: which of them a record is from is not known. */
function licencesOf(loads: readonly ArchiveLoad[]): string | null {
  const stated = eachOnce(loads.map(({ licence }) => licence))
  return stated !== null && loads.some(({ licence }) => licence === null) ? `${stated}; none stated` : stated
}

const daySource = ({ source, records }: SourceCount, loads: readonly ArchiveLoad[]) => ({
  source,
  records,
  licence: licencesOf(loads),
  attribution: eachOnce(loads.map(({ attribution }) => attribution)),
})

/** What the date shows, one after the other. Each span ends where the next one begins, the last one with the date. */
export function spansShown(date: string, { spans, source }: PartitionHead) {
  const begins: Span[] = spans ?? [[source ?? null, dateStartMs(date)]]
  return begins.map(([shown, from], i) => {
    return { source: shown, from, to: Math.min(spanEndMs(begins, i), dateStartMs(date) + DAY_MS) }
  })
}

/** What is known of the archives that records of a market are from, an entry for each that its files say the same of.
 *  Heads are read only where something was imported at all. */
export async function marketSources(
  catalogue: Pick<Catalogue, 'loads' | 'heads' | 'provenanceStamp'>,
  venue: Venue,
  market: string,
): Promise<ReturnType<typeof sourceFacts>[]> {
  if ((await catalogue.provenanceStamp()) === 0) return []
  const heads = await catalogue.heads(venue, market)
  const sources = new Set(heads.flatMap(({ head }) => archivesOf(head).map(({ source }) => source)))
  if (sources.size === 0) return []
  const alike = Map.groupBy(
    (await catalogue.loads()).filter(mayHold(market)).filter(({ source }) => sources.has(source)),
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

export const daySourcesField = Type.Optional(
  Type.Array(
    named('DateSource', 'Records of an archive on one date', {
      source: sourceName,
      records: count('Records that it has of the date, shown or not', 69),
      licence: orNull(text('The licence, each of several; null where none is known', 'CC BY 4.0')),
      attribution: orNull(text('Whom to name', 'pmxt (archive.pmxt.dev)')),
    }),
    { description: 'Archives that tell of the date; left out where none does' },
  ),
)

export const daySpansField = Type.Optional(
  Type.Array(
    named('DateSpan', 'A time of a date in which the records and books of one source are shown', {
      source: orNull(text('The archive; null for your own recordings', 'pmxt-v2')),
      from: unixMs('Its first millisecond', 1784505600000),
      to: unixMs('Where the next span begins; of the last one the end of the date', 1784592000000),
    }),
    { description: 'What the date shows, one span after the other; left out where no archive tells of it' },
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
