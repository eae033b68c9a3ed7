// GET …/market/depth-map: sizes at each price of one book over a window, for charts.

import { Type } from '@sinclair/typebox'
import type { DepthMapRequest } from '../../workers/depth-map/depth-map.ts'
import { MAP_COLUMNS } from '../../workers/depth-map/map-columns.ts'
import { AGGREGATES, type Aggregate, columnsOf, stepsOf } from '../../workers/depth-map/price-steps.ts'
import { depthMapTask } from '../../workers/tasks/depth-map.ts'
import { oneOf, parameter } from '../http/parameters/parameter.ts'
import { readWindow, type TimeWindow } from '../http/parameters/time-window.ts'
import { marketOf, type ParameterName, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { amount, choice, count, named, unixMs, whole } from '../openapi/field.ts'
import { subjectFields, subjectOf, windowFields } from './market-fields.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'

const CELLS_MAX = 4_000_000
const RESOLUTION_MS = '60000'
const PRICE_STEP = '0.01'
const MICRO_PLACES = 6

const isResolution = (text: string) =>
  text === '100' || text === '250' || (/^[1-9][0-9]{0,2}000$/.test(text) && Number(text) <= 900_000)
const isStep = (text: string) => /^0\.[0-9]{1,6}$/.test(text) && Number(text) >= 0.0001 && Number(text) <= 0.1

const own = {
  resolution_ms: parameter({
    accepts: '100, 250 or a whole number of seconds up to 900000, in ms',
    matches: isResolution,
    unlessGiven: RESOLUTION_MS,
    description: 'Length of a column of time, ms',
  }),
  price_step: parameter({
    accepts: 'a decimal from 0.0001 to 0.1 with at most six places',
    matches: isStep,
    unlessGiven: PRICE_STEP,
    description: 'Height of a row, dollars: sizes within one step add up',
  }),
  aggregate: oneOf(AGGREGATES, {
    unlessGiven: 'max',
    description: 'Which size of a column: the largest, the mean over time, or the last',
  }),
}

export const depthMap: RecordsQuestion<keyof typeof own> = {
  kind: 'records',
  formats: ['json', 'ndjson', 'arrow'],
  path: '/market/depth-map',
  parameters: ({ hasAssets }) => ({
    required: (hasAssets ? ['market', 'asset_id'] : ['market']) as readonly ParameterName[],
    optional: ['date', 'start_timestamp', 'end_timestamp', 'resolution_ms', 'price_step', 'aggregate'],
    own,
  }),
  about: (venue) => ({
    id: `${venue.venue}DepthMap`,
    summary: 'Sizes over price and time',
    description:
      'Columns of time begin at the start of the window. JSON and NDJSON have runs of columns of one exact size. ' +
      'Arrow has a row for each step of price with any size: `price` and `sizes`, a list of fixed length of 32-bit ' +
      'floats, one a column; `start_ms`, `resolution_ms`, `columns`, `price_step` and `known` are metadata of the ' +
      'schema. At most 4,000,000 cells.',
    answer: () => ({
      description: 'The runs; none if nothing rested or the book is not known',
      schema: schema(venue),
    }),
    failures: ['range_too_long'],
  }),
  plan(parsed) {
    const { request, window, priceStep } = planMap(parsed)
    const { nowMs, ...unchanging } = request
    const { market, fromMs, toMs, resolutionMs, aggregate } = request
    return {
      market,
      fromMs,
      toMs,
      identity: [unchanging, window.date, window.given, toMs < nowMs ? null : nowMs],
      isCacheable: toMs < nowMs,
      columns: MAP_COLUMNS,
      async answer(workers, encoding) {
        const metadata = {
          ...subjectOf(parsed.parameters, request, window),
          ...{ start_ms: fromMs, resolution_ms: resolutionMs, price_step: priceStep, aggregate },
        }
        const { columns, known, data } = await workers.ask(depthMapTask, {
          ...request,
          encoding: { ...encoding, metadata },
        })
        return { envelope: { ...metadata, columns, known }, data }
      },
    }
  },
}

type PlannedMap = { request: DepthMapRequest; window: TimeWindow; priceStep: number }

function planMap({ parameters, query, nowMs }: ParsedQuery<keyof typeof own>): PlannedMap {
  const window = readWindow(query)
  const { fromMs, toMs } = window
  const { resolution_ms = RESOLUTION_MS, price_step = PRICE_STEP, aggregate = 'max' } = query
  const market = marketOf(parameters, query)
  const request: DepthMapRequest = {
    venue: parameters.venue,
    market,
    book: query.asset_id ?? market,
    nowMs,
    fromMs,
    toMs,
    resolutionMs: Number(resolution_ms),
    stepMicros: Number(price_step.slice('0.'.length).padEnd(MICRO_PLACES, '0')),
    aggregate: aggregate as Aggregate,
  }
  const [columns, steps] = [columnsOf(request), stepsOf(request.stepMicros)]
  if (columns * steps > CELLS_MAX) {
    const message =
      `must give at most ${CELLS_MAX} cells, got "${resolution_ms}", which gives ${columns} columns of ${steps} prices: ` +
      'ask for longer columns, a larger price_step or a shorter range'
    throw parametersInvalid([{ field: 'resolution_ms', message }], 'range_too_long')
  }
  return { request, window, priceStep: Number(price_step) }
}

const run = named('DepthRun', 'Columns in which one size rests at a step of price', {
  price: amount('Start of the step, dollars: prices from it up to the next step', 0.44),
  from: unixMs('Start of the first column', 1784505600000),
  to: unixMs('End of the last column', 1784505660000),
  size: amount('Contracts: positive for bids, negative for asks; the larger if both rested', 65),
})

const schema = (parameters: VenueParameters) =>
  named(`${parameters.label}DepthMap`, 'Sizes over price and time', {
    ...subjectFields(parameters),
    ...windowFields,
    start_ms: unixMs('Start of the first column', 1784505600000),
    resolution_ms: whole('Length of a column, ms', 60000),
    price_step: amount('Height of a row, dollars', 0.01),
    aggregate: choice(AGGREGATES, 'Which size of a column is returned'),
    columns: count('Columns in all', 1440),
    known: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      description: 'Runs of columns in which the book is known: [first, last], counted from 0',
      example: [[0, 1439]],
    }),
    data: Type.Array(run, { description: 'The runs, by price, then by time' }),
  })
