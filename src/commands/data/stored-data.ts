// The store of a data folder, for commands that only read it.

import { hasStore, openStore, type Store } from '../../../storage/open-store.ts'
import type { Venue } from '../../../storage/venue.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import type { Question } from '../questions/market-question.ts'
import { type CommandOptions, configOf } from '../server/settings.ts'
import { CommandError, EXIT } from '../terminal/program.ts'

/** Throws CommandError where there is none: most likely the folder is mistyped. */
export async function withStore<T>(options: CommandOptions, run: (store: Store) => Promise<T>): Promise<T> {
  const { data } = configOf(options)
  assertStore(data)
  const store = openStore(data)
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

/** Throws CommandError where there is none. */
export function assertStore(data: string): void {
  if (hasStore(data)) return
  throw new CommandError(`there is no store in ${JSON.stringify(data)}: accepted is a folder with one`, EXIT.usage)
}

export function nothingStored(venue: Venue, market: string, dates?: readonly string[]): CommandError {
  const on = dates === undefined ? '' : ` on ${dates.join(', ')}`
  return new CommandError(`nothing is stored of the ${venue} market ${JSON.stringify(market)}${on}`, EXIT.notStored)
}

/** An answer without anything is no failure, as it is none of a server: stdout has it, and who reads along is told. */
export function tellNothing(what: 'records' | 'buckets', { parameters, query }: Question): void {
  const market = query[parameters.idParameter]!
  const asset = query.asset_id === undefined ? '' : ` and asset ${query.asset_id}`
  const text = `no ${what} of the ${parameters.venue} market ${market}${asset} in that time`
  process.stderr.write(`${escapeControls(text)}: the command coverage shows what is stored\n`)
}
