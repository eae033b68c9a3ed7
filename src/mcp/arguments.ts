// Arguments of the tools: their schemas, and their conversion to parameters of the API.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DAY_MS } from '../../storage/units.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { moment, momentMs, momentRange } from '../http/parameters/moment.ts'
import { isUtcDay, mustBe } from '../http/parameters/parameter.ts'
import { API_VENUES } from '../venues.ts'
import type { Query } from './server-client.ts'

/** Wrong arguments of a tool. The message is a sentence for the model that says what an argument must be. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments'
}

export const VENUE = Type.Union(
  VENUES.map((venue) => Type.Literal(venue)),
  { description: 'The venue' },
)
const TIME = Type.Union([Type.String(), Type.Integer()])

export const MARKET = {
  venue: VENUE,
  market: Type.String({ description: 'Kalshi: the ticker. Polymarket: the condition id. search finds both' }),
  source: Type.Optional(
    Type.String({ description: 'One source alone: own, or the name of an archive that coverage lists as a source' }),
  ),
}
export const BOOK = {
  ...MARKET,
  asset_id: Type.Optional(
    Type.String({ description: 'Polymarket only, where it is required: the token of the outcome, which search lists' }),
  ),
}
export const WINDOW = {
  date: Type.Optional(Type.String({ description: 'A UTC day, YYYY-MM-DD; instead of start and end' })),
  start: Type.Optional({
    ...TIME,
    description: 'The start, such as 2026-07-20T12:00:00Z, or Unix s, ms or µs; needs end',
  }),
  end: Type.Optional({ ...TIME, description: 'The end, inclusive; needs start' }),
}
export const INSTANT = Type.Optional({
  ...TIME,
  description: 'The instant, such as 2026-07-20T12:00:00Z, or Unix s, ms or µs; now unless given',
})

export const limit = (rows: { max: number; usual: number; words: string }) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: rows.max,
      description: `${rows.words}, at most ${rows.max}; ${rows.usual} unless given`,
    }),
  )

/** Returns the arguments. Throws an error whose message is a sentence about the first wrong argument. */
export function checked<Schema extends TSchema>(schema: Schema, given: unknown): Static<Schema> {
  const error = Value.Errors(schema, given ?? {}).First()
  if (error === undefined) return (given ?? {}) as Static<Schema>
  const name = error.path.slice(1) || 'the arguments'
  throw new WrongArguments(`${name}: ${error.message.toLowerCase()}, got ${JSON.stringify(error.value) ?? 'nothing'}`)
}

type OfMarket = {
  venue: Venue
  market: string
  asset_id?: string | undefined
  source?: string | undefined
}

export const marketQuery = ({ venue, market, asset_id, source }: OfMarket): Query => ({
  [API_VENUES[venue].idParameter]: market,
  ...{ asset_id, source },
})

type OfWindow = { date?: string | undefined; start?: string | number | undefined; end?: string | number | undefined }
/** The API's parameters for a window, and the window's length in seconds. The server validates a date. */
export type Window = { query: Query; seconds: number }

export function windowOf({ date, start, end }: OfWindow): Window {
  if (date !== undefined && start === undefined && end === undefined) return { query: { date }, seconds: DAY_MS / 1000 }
  if (date !== undefined || start === undefined || end === undefined) {
    throw new WrongArguments('give date, or both start and end')
  }
  const { fromMs, toMs } = momentRange(timeText('start', start), timeText('end', end))
  return { query: { start_timestamp: fromMs, end_timestamp: toMs }, seconds: Math.max(1, (toMs - fromMs) / 1000) }
}

/** Returns a predicate for the dates between two inclusive bounds; either may be absent. Throws WrongArguments. */
export function datesBetween(from: string | undefined, to: string | undefined): (date: string) => boolean {
  for (const [name, given] of Object.entries({ from, to })) {
    if (given !== undefined && !isUtcDay(given))
      throw new WrongArguments(`${name} ${mustBe('a date, YYYY-MM-DD', given)}`)
  }
  if (from !== undefined && to !== undefined && from > to)
    throw new WrongArguments(`from must be at or before to (${to})`)
  return (date) => (from === undefined || date >= from) && (to === undefined || date <= to)
}

export function instantOf(name: string, given: string | number | undefined): number | undefined {
  if (given === undefined) return undefined
  const text = timeText(name, given)
  return momentMs(text)
}

const TIME_PARAMETER = moment('')

function timeText(name: string, given: string | number): string {
  const text = String(given)
  if (TIME_PARAMETER.matches(text)) return text
  throw new WrongArguments(`${name} ${mustBe(TIME_PARAMETER.accepts, given)}`)
}
