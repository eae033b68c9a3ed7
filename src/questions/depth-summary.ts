// GET …/market/depth-summary: the levels of one book at the end of each bucket of a day or window, and values derived
// from them.

import { Type } from '@sinclair/typebox'
import { type DepthRequest, depthColumnNames } from '../../workers/depth/depth-table.ts'
import { depthTask } from '../../workers/tasks/depth.ts'
import { decimalList } from '../http/parameters/decimal-list.ts'
import { wholeNumber } from '../http/parameters/parameter.ts'
import { countBuckets, type TimeWindow } from '../http/parameters/time-window.ts'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { amount, count, named, orNull } from '../openapi/field.ts'
import { BUCKET_PARAMETERS, bucketsFields, bucketTimestamp, bucketTrust, parseBuckets, planBuckets } from './buckets.ts'
import { ROW_FORMATS } from './format-parameters.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'

const LEVELS = { default: 10, max: 100 }
const BANDS = '0.01,0.02,0.05,0.1'
/** Maximum number of levels per side, summed over all buckets of an answer. */
const LEVELS_IN_ALL_MAX = 10_000_000

const own = {
  levels: wholeNumber(
    { min: 1, max: LEVELS.max },
    { unlessGiven: LEVELS.default, description: 'Levels of a side, at most, the best first' },
  ),
  bands: decimalList(
    { min: 0, max: 1 },
    { unlessGiven: BANDS, description: 'Distances from mid in dollars: the answer has the contracts within each' },
  ),
  sizes: decimalList(
    { min: 0, max: 1_000_000_000, isAboveMin: true },
    {
      description: 'Numbers of contracts: the answer has what buying and selling so many would cost; none by default',
      example: '500',
    },
  ),
}

export const depthSummary: RecordsQuestion<keyof typeof own> = {
  kind: 'records',
  formats: ROW_FORMATS,
  path: '/market/depth-summary',
  isBillable: true,
  parameters(venue) {
    const { required, optional } = BUCKET_PARAMETERS(venue)
    return { required, optional: [...optional, 'trust', 'levels', 'bands', 'sizes'], own }
  },
  about: (venue) => ({
    id: `${venue.venue}DepthSummary`,
    summary: 'Levels and depth of a book over a day or window, in buckets',
    description:
      'The buckets of `orderbook-summary`, each with the book at its end. It has the known levels, also before ' +
      'a snapshot. The lists of `bands` and `sizes` are in the requested order; in flat formats each is a column, such as `bid_depth_within_0.01` or `buy_price_500`, and levels are ' +
      '`bid_price_1`, `bid_size_1` and so on.',
    answer: () => ({
      description: 'The buckets; none if nothing is stored of that time',
      schema: schema(venue),
    }),
    failures: ['range_too_long'],
  }),
  plan(parsed) {
    const depth = planDepth(parsed)
    return planBuckets(parsed, depth, { task: depthTask, columns: depthColumnNames(depth.request) })
  },
}

function planDepth(parsed: ParsedQuery<keyof typeof own>): { request: DepthRequest; window: TimeWindow } {
  const { request, window } = parseBuckets(parsed, 'observed')
  const { levels = String(LEVELS.default), bands = BANDS, sizes } = parsed.query
  const buckets = countBuckets(window, request.resolutionSeconds)
  if (Number(levels) * buckets > LEVELS_IN_ALL_MAX) {
    const message =
      `must give at most ${LEVELS_IN_ALL_MAX} levels in all buckets, got "${levels}" in each of ${buckets}: ` +
      'ask for fewer levels, longer buckets or a shorter range'
    throw parametersInvalid([{ field: 'levels', message }], 'range_too_long')
  }
  const lists = { bands: bands.split(','), sizes: sizes === undefined ? [] : sizes.split(',') }
  return { request: { ...request, levels: Number(levels), ...lists }, window }
}

const levelsField = (description: string, example: [number, number][]) =>
  Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
    description: `${description}: [price in dollars, size in contracts], the best first`,
    example,
  })

const eachOrNull = (description: string, example: (number | null)[]) =>
  Type.Array(orNull(Type.Number()), { description, example })

const UNOBSERVED = 'null if the best size of the side is not known'

const bucket = named('DepthBucket', 'The book at the end of a bucket', {
  timestamp: bucketTimestamp,
  trust: bucketTrust,
  bids: levelsField('The best bids', [
    [0.441, 45],
    [0.44, 120],
  ]),
  asks: levelsField('The best asks', [
    [0.446, 198.51],
    [0.45, 300],
  ]),
  bid_level_count: count('Number of all levels with bids', 2),
  ask_level_count: count('Number of all levels with asks', 2),
  bid_depth: amount('Contracts of all bids', 165),
  ask_depth: amount('Contracts of all asks', 498.51),
  imbalance: orNull(
    amount('(best bid size − best ask size) / their sum; null unless both sizes are known', -0.6304053221633609),
  ),
  microprice: orNull(
    amount(
      '(bid × ask size + ask × bid size) / their sum, dollars; null unless both sizes are known',
      0.4419239866945916,
    ),
  ),
  bid_depth_within: eachOrNull('For each band, the contracts bid for at mid − band or more; null without mid', [165]),
  ask_depth_within: eachOrNull(
    'For each band, the contracts offered at mid + band or less; null without mid',
    [498.51],
  ),
  buy_price: eachOrNull(
    'For each size, the average price of buying, dollars; null without asks',
    [0.44840717337666247],
  ),
  buy_filled: eachOrNull(`For each size, how many of these contracts are offered; ${UNOBSERVED}`, [498.51]),
  sell_price: eachOrNull(
    'For each size, the average price of selling, dollars; null without bids',
    [0.44027272727272726],
  ),
  sell_filled: eachOrNull(`For each size, how many of these contracts are bid for; ${UNOBSERVED}`, [165]),
})

const schema = (parameters: VenueParameters) =>
  named(`${parameters.label}Depth`, 'Depth of one book over a day or a window', bucketsFields(parameters, bucket))
