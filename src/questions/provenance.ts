// Provenance fields of answers: the archives that records come from, their counts and publishers. Omitted if a day or
// market has no archive records.

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

/** Returns the archive sources by date. Dates with the user's own records only are absent. */
export async function sourcesByDate(catalogue: Pick<Catalogue, 'loads'>, market: string, days: readonly StoredDay[]) {
  const found = days.map(({ date, head }) => ({ date, sources: archivesOf(head) })).filter(({ sources }) => sources[0])
  if (found.length === 0) return new Map<string, ReturnType<typeof daySource>[]>()
  const loads = Map.groupBy((await catalogue.loads()).filter(mayContain(market)), ({ source }) => source)
  return new Map(
    found.map(({ date, sources }) => {
      return [date, sources.map((each) => daySource(each, loads.get(each.source) ?? []))]
    }),
  )
}

/** True if a file may have records of the market. */
const mayContain =
  (market: string) =>
  ({ markets }: ArchiveLoad): boolean =>
    markets === null || markets.includes(market)

/** Joins the distinct values, since files of one archive may differ; null if there are none. */
const eachOnce = (texts: (string | null)[]): string | null => [...new Set(texts.filter(Boolean))].join('; ') || null

/** Joins the licences. Adds "none stated" if some files have no licence, because it is not known which file a record
 *  comes from. */
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

/** Returns the spans to show for a date, in order. Each span ends where the next begins; the last one ends with the
 *  date. */
export function spansShown(date: string, { spans, source }: PartitionHead) {
  const begins: Span[] = spans ?? [[source ?? null, dateStartMs(date)]]
  return begins.map(([shown, from], i) => {
    return { source: shown, from, to: Math.min(spanEndMs(begins, i), dateStartMs(date) + DAY_MS) }
  })
}

/** Returns the archives that records of a market come from, one entry per set of files with equal facts. Reads heads
 *  only if an archive was imported at all. */
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
    (await catalogue.loads()).filter(mayContain(market)).filter(({ source }) => sources.has(source)),
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
  hash_kept: load.hashStored,
  is_rebuilt: load.isRebuilt,
  repairs: load.repairs,
  files,
})

const sourceName = text('Name of the archive', 'pmxt-v2')

export const daySourcesField = Type.Optional(
  Type.Array(
    named('DateSource', 'Records of an archive on one date', {
      source: sourceName,
      records: count('Records that it has of the date, shown or not', 69),
      licence: orNull(text('The licence, or all of them; null if none is known', 'CC BY 4.0')),
      attribution: orNull(text('The publisher to name', 'pmxt (archive.pmxt.dev)')),
    }),
    { description: 'Archives that have the date; left out if there are none' },
  ),
)

export const daySpansField = Type.Optional(
  Type.Array(
    named('DateSpan', 'A time of a date in which the records and books of one source are shown', {
      source: orNull(text('The archive; null for your own recordings', 'pmxt-v2')),
      from: unixMs('Its first millisecond', 1784505600000),
      to: unixMs('Where the next span begins; for the last span, the end of the date', 1784592000000),
    }),
    { description: 'What the date shows, span by span; left out if no archive has the date' },
  ),
)

export const marketSourcesField = Type.Optional(
  Type.Array(
    named('MarketSource', 'An archive that has records of the market', {
      source: sourceName,
      format: text('The form of its files', 'pmxt-v2'),
      licence: orNull(text('The licence; null if none is stated', 'CC BY 4.0')),
      attribution: orNull(text('The publisher to name', 'pmxt (archive.pmxt.dev)')),
      clock: choice(CLOCKS, 'What a receive time is: of the frame, of the batch of rows, or none'),
      order: choice(ORDERS, 'What orders the rows: a sequence number, their place in the file, or nothing'),
      hash_kept: flag("Whether its books and changes have the venue's hash", false),
      is_rebuilt: flag('Whether its messages are made from columns', true),
      repairs: Type.Array(Type.String(), { description: 'Repairs that its import made' }),
      files: count("Number of the archive's loaded files, for all markets together", 1),
    }),
    { description: 'Imported archives that have records of the market; left out if there are none' },
  ),
)
