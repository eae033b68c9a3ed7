// GET …/files/{date}/{market}/{name}: one file of a market's day, or a range of its bytes.

import { Type } from '@sinclair/typebox'
import { DAY_MS, dateStartMs } from '../../../storage/units.ts'
import { DAY_FILES, type DayFileName } from '../../../workers/files/day-file.ts'
import { bodilessFileResponse, fileResponse } from '../../http/answers/file-response.ts'
import { freshnessOf } from '../../http/answers/freshness.ts'
import { mustBe, oneOf, utcDay } from '../../http/parameters/parameter.ts'
import { assertStored } from '../../http/parameters/stored-market.ts'
import { parametersInvalid, RequestFailure } from '../../http/server/request-failure.ts'
import { STREAMED_FAILURES } from '../../openapi/operation.ts'
import type { FileQuestion } from '../question.ts'
import { namesOn } from './day-files.ts'

const PARQUET = 'application/vnd.apache.parquet'
const ZSTD = 'application/zstd'
const TYPES: Record<DayFileName, string> = {
  'records.ndjson.zst': ZSTD,
  'candles-1s.parquet': PARQUET,
  'trades.parquet': PARQUET,
}

export const dayFile: FileQuestion = {
  kind: 'file',
  path: '/files/:date/:market/:name',
  inPath: ({ id }) => ({
    date: utcDay({ description: 'A UTC day', example: '2026-07-20' }),
    market: id,
    name: oneOf(DAY_FILES, { description: 'Which of the files', example: DAY_FILES[0] }),
  }),
  isBillable: true,
  parameters: () => ({ required: [], optional: [] }),
  about: ({ venue, rawFromDate }) => ({
    id: `${venue}File`,
    summary: 'A file of a day of a market, or a part of it',
    description:
      'The records as lines of JSON, packed with zstd; the seconds with a quote of all books of the market, as ' +
      '`orderbook-summary` returns them with `resolution=1&fill=none`; or the trades, as `trades` returns them. The ' +
      'ETag is the SHA-256 of the bytes. Range requests one range of bytes, also with If-Range.' +
      (rawFromDate === null ? '' : ` There are no records before ${rawFromDate}.`),
    answer: () => ({
      description: 'The file',
      type: ZSTD,
      schema: Type.String({ format: 'binary', description: 'Lines of JSON, packed with zstd' }),
      others: [{ type: PARQUET, schema: Type.String({ format: 'binary', description: 'A file of Parquet' }) }],
      headers: ['Accept-Ranges', 'Content-Disposition'],
      isPartial: true,
    }),
    failures: [
      ...(['date_too_early', 'market_not_stored', 'date_not_stored', 'range_not_satisfiable'] as const),
      ...STREAMED_FAILURES,
      'disk_full',
    ],
  }),
  async respond({ catalogue, dayFiles }, { parameters, inPath = {}, nowMs }, request) {
    const { venue, rawFromDate, normalizeId } = parameters
    const date = inPath['date'] ?? ''
    const name = inPath['name'] as DayFileName
    if (!namesOn(parameters, date).includes(name)) {
      throw parametersInvalid([{ field: 'date', message: mustBe(`${rawFromDate} or later`, date) }], 'date_too_early')
    }
    const market = normalizeId(inPath['market'] ?? '')
    await assertStored(catalogue, parameters, market)
    const key = { venue, market, date }
    const head = await catalogue.head(key)
    if (head === undefined) {
      throw new RequestFailure('date_not_stored', `Nothing is stored of ${market} on ${date}: see market/coverage`)
    }
    const stamp = await catalogue.stamp(venue, market, { from: date, to: date })
    const freshness = freshnessOf(dateStartMs(date) + DAY_MS - 1, nowMs, [stamp])
    const file = { key, name, head }
    const about = { name, freshness, type: TYPES[name] }
    const bodiless = bodilessFileResponse(request, { ...about, ...(await dayFiles.described(file)) })
    return bodiless ?? fileResponse(request, { ...about, ...(await dayFiles.onDisk(file)) })
  },
}
