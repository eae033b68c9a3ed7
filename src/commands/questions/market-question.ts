// What a command asks of one market: its flags as the query of an endpoint, which judges them.

import { type Command, Option } from 'commander'
import { SECOND_MS } from '../../../storage/units.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { isZonedTime, moment, momentRange } from '../../http/parameters/moment.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { SECONDS_BELOW } from '../../http/parameters/time-window.ts'
import {
  FILLS,
  MOUNTS,
  type QueryText,
  RESOLUTION_SECONDS,
  type VenueParameters,
} from '../../http/parameters/venue-parameters.ts'
import type { CommandOptions } from '../settings.ts'
import { CommandError, EXIT } from '../terminal/program.ts'

export type MarketOptions = CommandOptions & { venue: Venue; market: string }
export type WindowOptions = MarketOptions & {
  assetId?: string
  date?: string
  start?: string
  end?: string
  resolution?: string
  fill?: string
}
/** `path` is where the endpoints of the venue are mounted. */
export type Question = {
  parameters: VenueParameters
  path: string
  query: Readonly<Record<string, string>> & QueryText
}

const TIME = moment('')
const DIGITS = /^[0-9]+$/

export const venueOption = () => new Option('--venue <venue>', 'the venue').choices(VENUES)

export function addMarket(command: Command): Command {
  return command
    .addOption(venueOption().makeOptionMandatory())
    .requiredOption('--market <id>', 'the market: a condition id of Polymarket, a ticker of Kalshi')
}

/** The parameters of the summary endpoint. */
export function addWindow(command: Command): Command {
  return command
    .option('--asset-id <id>', 'one outcome token of a Polymarket market')
    .option('--date <date>', 'a UTC day, YYYY-MM-DD')
    .option('--start <time>', 'lower bound, inclusive: Unix seconds or milliseconds, a time with its zone, or a date')
    .option('--end <time>', 'upper bound, inclusive; a second or a date includes all of itself')
}

export function addBuckets(command: Command): Command {
  return command
    .option('--resolution <seconds>', `bucket size, 1 to ${RESOLUTION_SECONDS.max} (default: 60)`)
    .addOption(
      new Option('--fill <fill>', 'which buckets without a quote are given (default: observed)').choices(FILLS),
    )
}

const WINDOW_FLAGS = ['--market', '--date', '--start', '--end']
const BUCKET_FLAGS = ['--resolution', '--fill']

/** Flags that were not given are left out: what is missing is for the endpoint to say. Throws CommandError. */
export function questionOf({ venue, market, ...options }: WindowOptions, about: 'buckets' | 'records'): Question {
  const { path, parameters } = MOUNTS.find((mount) => mount.parameters.venue === venue)!
  if (options.assetId !== undefined && !parameters.hasAssets) {
    const flags = about === 'buckets' ? [...WINDOW_FLAGS, ...BUCKET_FLAGS] : WINDOW_FLAGS
    const reason = `a ${venue} market has one book: its flags are ${flags.join(', ')}`
    throw new CommandError(`--asset-id is not for --venue ${venue}: ${reason}`, EXIT.usage)
  }
  const { start, end } = boundsOf(options)
  const given = {
    [parameters.idParameter]: market,
    asset_id: options.assetId,
    date: options.date,
    start_timestamp: start,
    end_timestamp: end,
    resolution: options.resolution,
    fill: options.fill,
  }
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { path, parameters, query: query as Question['query'] }
}

type Bounds = { start?: string | undefined; end?: string | undefined }

/** Unix times stay as they are. Others become milliseconds, both of them: bounds have one unit. Of the times before
 *  1973-03-03, whose milliseconds would be taken for seconds, the first after them is asked for: nothing is as old. */
function boundsOf({ start, end }: Bounds): Bounds {
  for (const [flag, text] of [
    ['--start', start],
    ['--end', end],
  ] as const) {
    if (text === undefined || TIME.matches(text)) continue
    throw new CommandError(`${flag} ${mustBe(TIME.accepts, text)}`, EXIT.usage)
  }
  const given = [start, end].filter((each) => each !== undefined)
  if (given.every((each) => DIGITS.test(each))) return { start, end }
  const { fromMs, toMs } = momentRange(start ?? end!, end ?? start!)
  const restMs = end !== undefined && isWholeSecond(end) ? SECOND_MS - 1 : 0
  return { start: start && asMs(fromMs), end: end && asMs(toMs + restMs) }
}

/** A time without a fraction is all of its second, as a Unix time in seconds is. */
const isWholeSecond = (text: string) => isZonedTime(text) && !text.includes('.')

const asMs = (ms: number) => String(Math.max(ms, SECONDS_BELOW))
