// Turns the flags of a command about one market into the query of an endpoint, which validates them.

import { type Command, Option } from 'commander'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { Parameter } from '../../http/parameters/parameter.ts'
import {
  FILLS,
  PARAMETERS,
  type QueryText,
  RESOLUTION_SECONDS,
  SHARED_PARAMETERS,
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
/** Options of a command where other flags may replace the market. */
export type MarketlessOptions = Omit<WindowOptions, 'market'> & { venue: Venue; market?: string | undefined }
/** `path` is the mount path of the venue's endpoints. */
export type Question = {
  parameters: VenueParameters
  path: string
  query: Readonly<Record<string, string>> & QueryText
}

export const venueOption = () => new Option('--venue <venue>', 'the venue').choices(VENUES)

export const MARKET_WORDS = 'the market: a condition id of Polymarket, a ticker of Kalshi'

export const addMarket = (command: Command): Command =>
  command.addOption(venueOption().makeOptionMandatory()).requiredOption('--market <id>', MARKET_WORDS)

export const RECORD_PARAMETERS = ['market', 'asset_id', 'date', 'start_timestamp', 'end_timestamp', 'source']

/** Flags whose help text differs from the parameter's description. */
const KNOWN: Readonly<Record<string, () => Option>> = {
  asset_id: () => new Option('--asset-id <id>', 'one outcome token of a Polymarket market'),
  date: () => new Option('--date <date>', 'a UTC day, YYYY-MM-DD'),
  start_timestamp: () =>
    new Option('--start <time>', 'lower bound, inclusive: Unix s, ms or µs, a time with its zone, or a date'),
  end_timestamp: () => new Option('--end <time>', 'upper bound, inclusive; a second or a date counts as a whole'),
  resolution: () => new Option('--resolution <seconds>', `bucket size, 1 to ${RESOLUTION_SECONDS.max} (default: 60)`),
  fill: () => new Option('--fill <fill>', 'which buckets without a quote to return (default: observed)').choices(FILLS),
}

const FLAGS: Readonly<Record<string, string>> = {
  start_timestamp: '--start',
  end_timestamp: '--end',
  timestamp: '--at, --timestamp',
}
const flagOf = (name: string) => FLAGS[name] ?? `--${name.replaceAll('_', '-')}`
/** Adds the flags of an endpoint's parameters, except the market's. `own` are parameters that only this endpoint has.
 */
export function addParameters(
  command: Command,
  names: readonly string[],
  own: Readonly<Record<string, Parameter>> = {},
): Command {
  const shared: Readonly<Record<string, Parameter>> = SHARED_PARAMETERS
  for (const name of names) {
    const parameter = own[name] ?? shared[name]
    const known = own[name] === undefined ? KNOWN[name]?.() : undefined
    if (parameter !== undefined) command.addOption(known ?? optionOf(name, parameter))
  }
  return command
}

function optionOf(name: string, { description = '', unlessGiven, enum: choices }: Parameter): Option {
  const words = description.charAt(0).toLowerCase() + description.slice(1)
  const text = unlessGiven === undefined ? words : `${words} (default: ${unlessGiven})`
  const option = new Option(`${flagOf(name)} <${name.replaceAll('_', '-')}>`, text)
  return choices === undefined ? option : option.choices(choices)
}

/** Returns the query for the endpoint with the parameters `names`. Omits flags that were not given: the endpoint
 *  reports missing parameters. Throws CommandError. */
export function questionOf({ venue, market, ...options }: MarketlessOptions, names: readonly string[]): Question {
  const parameters = PARAMETERS[venue]
  if (options.assetId !== undefined && !parameters.hasAssets) {
    const flags = names.filter((name) => name !== 'asset_id').map(flagOf)
    const reason = `a ${venue} market has one book: its flags are ${flags.join(', ')}`
    throw new CommandError(`--asset-id is not for --venue ${venue}: ${reason}`, EXIT.usage)
  }
  const others = names.filter((name) => name !== 'market').map((name) => [name, givenAs(options, name)])
  const given = {
    [parameters.idParameter]: market,
    ...Object.fromEntries(others),
    ...{ asset_id: options.assetId, start_timestamp: options.start, end_timestamp: options.end },
  }
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { path: `/${venue}`, parameters, query: query as Question['query'] }
}

const givenAs = (options: CommandOptions, name: string) =>
  options[new Option(`${flagOf(name)} <value>`).attributeName()]
