// Opens the store for commands that only read it.

import type { Catalogue } from '../../../storage/catalogue.ts'
import { hasStore, type OpenStore } from '../../../storage/open-store.ts'
import type { Venue } from '../../../storage/venue.ts'
import { longerMarket } from '../../http/parameters/stored-market.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { type CommandOptions, configOf } from '../settings.ts'
import { placeOf, withStoreAt } from '../store-place.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import { inFlags } from './ask-market.ts'
import type { Question } from './market-question.ts'

/** Throws CommandError if there is no store: most likely the folder is mistyped. */
export async function withStore<T>(options: CommandOptions, run: (store: OpenStore) => Promise<T>): Promise<T> {
  const place = placeOf(configOf(options))
  if (place.cluster === null) assertStore(place.folder)
  return withStoreAt(place, { mayWrite: false }, run)
}

/** Throws CommandError if there is no store. */
export function assertStore(data: string): void {
  if (hasStore(data)) return
  throw new CommandError(`there is no store in ${JSON.stringify(data)}: ingest makes one`, EXIT.usage)
}

export async function nothingStored(
  catalogue: Pick<Catalogue, 'markets'>,
  venue: Venue,
  market: string,
  { dates, source }: { dates?: readonly string[] | undefined; source?: string | undefined } = {},
): Promise<CommandError> {
  const on = dates === undefined ? '' : ` on ${dates.join(', ')}`
  const from = source === undefined ? '' : ` from the source ${source}`
  const longer = source === undefined ? await longerMarket(catalogue, venue, market) : undefined
  const instead = longer === undefined ? '' : `: ${inFlags(longer)}`
  return new CommandError(
    `nothing is stored of the ${venue} market ${JSON.stringify(market)}${from}${on}${instead}`,
    EXIT.notStored,
  )
}

/** Prints a note for an empty result. Throws CommandError if nothing is stored in the requested time. */
export function reportNothingStored(what: string, { parameters, query }: Question, isStored: boolean): void {
  const market = query[parameters.idParameter]
  const asset = query.asset_id === undefined ? '' : ` and asset ${query.asset_id}`
  const subject = market === undefined ? 'the requested markets' : `the ${parameters.venue} market ${market}${asset}`
  const text = `${escapeControls(`no ${what} of ${subject} in that time`)}: the command coverage shows what is stored`
  if (!isStored) throw new CommandError(text, EXIT.notStored)
  terminal().stderr.write(`${text}\n`)
}
