// GET …/files: the files of a date, for each stored market.

import { Type } from '@sinclair/typebox'
import type { Catalogue } from '../../../storage/catalogue.ts'
import type { PartitionHead } from '../../../storage/format/partition-head.ts'
import type { Venue } from '../../../storage/venue.ts'
import { sealedText } from '../../../workers/bytes/sealed-text.ts'
import { DAY_FILES, type DayFile, type DayFileName } from '../../../workers/files/day-file.ts'
import type { DayFiles, DayOfFile } from '../../day-files/day-files.ts'
import { indexAnswer } from '../../http/answers/index-answer.ts'
import { cursorText } from '../../http/parameters/cursor.ts'
import { wholeNumber } from '../../http/parameters/parameter.ts'
import { assertStored } from '../../http/parameters/stored-market.ts'
import { marketOf, type VenueParameters } from '../../http/parameters/venue-parameters.ts'
import { choice, count, day, named, text } from '../../openapi/field.ts'
import { COMPRESSED, STREAMED_FAILURES } from '../../openapi/operation.ts'
import { cursorPaging, EXAMPLE_MARKET } from '../market-fields.ts'
import type { FileQuestion } from '../question.ts'

const LIMIT = { default: 100, max: 1_000 }
/** Maximum number of records that are read to make the missing files of one page: for each file, all records of its
 *  day. A page with several markets ends before it would exceed this number. */
const RECORDS_TO_READ_MAX = 4_000_000
/** Number of markets whose files are made at the same time. It is small so that other requests get threads, too. */
const MARKETS_AT_ONCE = 2

export const dayFiles: FileQuestion = {
  kind: 'file',
  path: '/files',
  isBillable: true,
  parameters: () => ({
    required: ['date'],
    optional: ['market', 'limit', 'cursor'],
    own: {
      limit: wholeNumber(
        { min: 1, max: LIMIT.max },
        { unlessGiven: LIMIT.default, description: 'Markets in a page, at most' },
      ),
    },
  }),
  about: (parameters) => ({
    id: `${parameters.venue}Files`,
    summary: 'The files of a date, of each stored market: sizes and digests',
    description:
      'Markets ascending. Files are made at the first request, so a page may be shorter than `limit`: request ' +
      'pages while `has_more` is true. A file has the same bytes as long as the stored records of its day are the same.' +
      (parameters.rawFromDate === null ? '' : ` No records before ${parameters.rawFromDate}.`),
    answer: () => ({ description: 'A page; empty if nothing is stored of the date', schema, headers: COMPRESSED }),
    failures: ['cursor_invalid', 'market_not_stored', ...STREAMED_FAILURES, 'disk_full'],
  }),
  async respond({ catalogue, secret, tagOf, dayFiles: files }, { parameters, query }, request) {
    const { venue, idParameter } = parameters
    const { date = '' } = query
    const limit = Number(query.limit ?? LIMIT.default)
    const market = query[idParameter] === undefined ? null : marketOf(parameters, query)
    const purpose = ['files-cursor-1', venue, date, market]
    const after = cursorText(await secret(), purpose, query.cursor)
    if (market !== null) await assertStored(catalogue, parameters, market)
    const pageQuery = { venue, date, names: namesOn(parameters, date), market, after, limit }
    const { days, hasMore } = await pageOf(catalogue, files, pageQuery)
    const last = days.at(-1)?.market
    const next_cursor = hasMore && last !== undefined ? sealedText(await secret(), purpose, last) : null
    const versions = days.map((each) => [each.market, each.head.revision, each.head.nextId, each.head.recordCount])
    return indexAnswer(request, {
      etag: await tagOf(['files', venue, date, limit, versions, next_cursor]),
      make: async () => {
        const paging = { limit, has_more: hasMore, next_cursor }
        const data = await describedDays(files, days)
        return { date, data_count: data.length, ...paging, pagination: paging, data }
      },
    })
  },
}

/** Returns the files offered for a date. Leaves out the raw records if the raw endpoints refuse the date. */
export const namesOn = ({ rawFromDate }: VenueParameters, date: string): DayFileName[] =>
  DAY_FILES.filter((name) => rawFromDate === null || date >= rawFromDate || name !== 'records.ndjson.zst')

type DayOfMarket = { market: string; head: PartitionHead; files: DayOfFile[] }
type PageQuery = {
  venue: Venue
  date: string
  names: DayFileName[]
  /** Only this market; null for all. */
  market: string | null
  /** Only markets after this one; null for all. */
  after: string | null
  limit: number
}

async function pageOf(
  catalogue: Catalogue,
  files: DayFiles,
  { venue, date, names, market, after, limit }: PageQuery,
): Promise<{ days: DayOfMarket[]; hasMore: boolean }> {
  const markets = market === null ? await marketsOn(catalogue, venue, date) : [market]
  const days: DayOfMarket[] = []
  let toRead = 0
  for (const each of markets) {
    if (after !== null && each <= after) continue
    if (days.length === limit) return { days, hasMore: true }
    const key = { venue, market: each, date }
    const head = await catalogue.head(key)
    if (head === undefined) continue
    const marketFiles = names.map((name): DayOfFile => ({ key, name, head }))
    const known = await Promise.all(marketFiles.map((file) => files.known(file)))
    toRead += head.recordCount * known.filter((file) => file === undefined).length
    if (days.length > 0 && toRead > RECORDS_TO_READ_MAX) return { days, hasMore: true }
    days.push({ market: each, head, files: marketFiles })
  }
  return { days, hasMore: false }
}

/** Returns the markets stored on a date, ascending. */
async function marketsOn(catalogue: Catalogue, venue: Venue, date: string): Promise<string[]> {
  const { days } = await catalogue.busiest(venue, date, { by: 'market', limit: Number.MAX_SAFE_INTEGER })
  return days.map(({ market }) => market)
}

async function describedDays(files: DayFiles, days: DayOfMarket[]) {
  const described: ReturnType<typeof describedDay>[] = []
  for (let first = 0; first < days.length; first += MARKETS_AT_ONCE) {
    const some = days.slice(first, first + MARKETS_AT_ONCE)
    const made = await Promise.all(some.map(async (each) => describedDay(each, await filesOf(files, each))))
    described.push(...made)
  }
  return described
}

async function filesOf(files: DayFiles, { files: wanted }: DayOfMarket): Promise<DayFile[]> {
  const found: DayFile[] = []
  for (const file of wanted) found.push(await files.described(file))
  return found
}

const describedDay = ({ market, head, files }: DayOfMarket, made: DayFile[]) => ({
  market,
  revision: head.revision,
  record_count: head.recordCount,
  files: files.map(({ name }, index) => {
    const { bytes, sha256, rows } = made[index]!
    return { name, bytes, sha256, rows }
  }),
})

const file = named('DayFile', 'A file of a day of a market', {
  name: choice(DAY_FILES, 'Its name, the last segment of its path'),
  bytes: count('Its size', 5361013),
  sha256: Type.String({
    description: 'The digest of its bytes, in hexadecimal digits; its ETag',
    example: '5c6f2d0f3d7f0f5a7e6f4a9c2b1d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d',
  }),
  rows: count('Records, seconds or trades in it', 99376),
})

const dayOfMarket = named('FilesOfDay', 'The files of a day of a market', {
  market: text('Its condition id, or its ticker', EXAMPLE_MARKET),
  revision: count('Grows with each change of the day', 3),
  record_count: count('Records of the day', 99376),
  files: Type.Array(file, { description: 'The files' }),
})

const schema = named('FilesOfDate', 'The files of a date, by market', {
  date: day('The date'),
  data_count: count('Markets in this page', 1),
  ...cursorPaging,
  pagination: Type.Object(cursorPaging, { description: 'The same three fields again' }),
  data: Type.Array(dayOfMarket, { description: 'The markets, ascending' }),
})
