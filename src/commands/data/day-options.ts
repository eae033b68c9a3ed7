// The options that choose days of markets, for commands on the files or records of several markets.

import type { Venue } from '../../../storage/venue.ts'
import { isUtcDay, mustBe } from '../../http/parameters/parameter.ts'
import { PARAMETERS } from '../../http/parameters/venue-parameters.ts'
import { CommandError, EXIT } from '../terminal/program.ts'

/** Throws CommandError unless the option is omitted or a UTC date. */
export function assertDay(flag: string, given: string | undefined): void {
  if (given === undefined || isUtcDay(given)) return
  throw new CommandError(`${flag} ${mustBe('a UTC date written YYYY-MM-DD', given)}`, EXIT.usage)
}

/** Returns the id that `--market` names, in its stored form. Throws CommandError. */
export function marketOf(venue: Venue | undefined, market: string): string {
  if (venue === undefined) throw new CommandError('--market needs --venue: name the venue of the market', EXIT.usage)
  const { id, normalizeId } = PARAMETERS[venue]
  if (!id.matches(market)) throw new CommandError(`--market ${mustBe(id.accepts, market)}`, EXIT.usage)
  return normalizeId(market)
}
