// `delete --source`: removes the records of one archive and leaves all others. Asks for confirmation first.

import type { Store } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { daysOfSource, deleteSource, type SourceScope } from '../../../workers/remove/delete-source.ts'
import { withStore } from '../questions/stored-data.ts'
import { type CommandOptions, configOf } from '../settings.ts'
import { placeOf, withStoreAt } from '../store-place.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { printJson } from '../terminal/print-json.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'

/** `ask` throws CommandError unless the user confirms. */
type DeleteSourceOptions = CommandOptions &
  SourceScope & { source: string; dryRun?: true; json?: true; ask: (show: () => void) => void }

/** Counts for one date, or for all. `markets` is the number of markets that have records of the source. */
type Sum = { markets: number; records: number }
/** `loads`: number of files of the source with load records. */
type Found = { days: Map<string, Sum>; all: Sum; loads: number }

export async function runDeleteSource({ source, ask, dryRun, json, ...options }: DeleteSourceOptions): Promise<void> {
  const { venue, market, date } = options
  const scope: SourceScope = { venue, market, date }
  const asJson = json === true
  const found = await withStore(options, (store) => sumOf(store, source, daysIn(store, source, scope)))
  if (found.all.records === 0 && (isNarrow(scope) || found.loads === 0)) throw await nothingOf(options, source, scope)
  if (dryRun === true) return report(source, scope, found, false, asJson)
  ask(() => report(source, scope, found, false, false))
  const progress = new Progress({ total: found.all.records, unit: 'records' }, asJson ? undefined : terminal().stderr)
  const removing = withStoreAt(placeOf(configOf(options)), { mayWrite: true }, async (store) => {
    const days = removedDays(store, source, scope)
    const removed = await sumOf(store, source, days, (records) => progress.show(records))
    // Removes the load records only together with all records of the source.
    if (!isNarrow(scope)) await store.catalogue.removeLoads(source)
    await store.flushed()
    return removed
  })
  report(source, scope, await removing.finally(() => progress.stop()), true, asJson)
}

const isNarrow = ({ venue, market, date }: SourceScope): boolean =>
  venue !== undefined || market !== undefined || date !== undefined

type SourceDay = { venue: Venue; market: string; date: string; records: number }

function daysIn(store: Store, source: string, scope: SourceScope): AsyncIterable<SourceDay> {
  return daysOfSource(store, source, scope.venue === undefined ? VENUES : [scope.venue], scope)
}

/** Removes the records market by market. Yields the days that had records of the source. */
async function* removedDays(store: Store, source: string, scope: SourceScope): AsyncIterable<SourceDay> {
  const range = scope.date === undefined ? undefined : { from: scope.date, to: scope.date }
  let last = ''
  for await (const { venue, market } of daysIn(store, source, scope)) {
    if (last === `${venue} ${market}`) continue
    last = `${venue} ${market}`
    for (const day of await deleteSource(store, { venue, market }, source, range)) yield { venue, market, ...day }
  }
}

/** Adds up the days. Calls `onRecords` with the number of records so far. */
async function sumOf(
  { catalogue }: Store,
  source: string,
  found: AsyncIterable<SourceDay>,
  onRecords: (records: number) => void = () => undefined,
): Promise<Found> {
  const loads = (await catalogue.loads()).filter((load) => load.source === source).length
  const days = new Map<string, Sum>()
  const names = new Set<string>()
  let all = 0
  for await (const { venue, market, date, records } of found) {
    const sum = days.get(date) ?? { markets: 0, records: 0 }
    days.set(date, { markets: sum.markets + 1, records: sum.records + records })
    names.add(`${venue} ${market}`)
    all += records
    onRecords(all)
  }
  return { days, all: { markets: names.size, records: all }, loads }
}

async function nothingOf(options: CommandOptions, source: string, scope: SourceScope): Promise<CommandError> {
  const loads = await withStore(options, ({ catalogue }) => catalogue.loads())
  const sources = [...new Set(loads.map((load) => load.source))].sort()
  const known = sources.length === 0 ? 'nothing was imported' : `imported sources: ${sources.join(', ')}`
  const where = isNarrow(scope) ? ' there' : ''
  return new CommandError(`nothing is stored of the source ${JSON.stringify(source)}${where}: ${known}`, EXIT.notStored)
}

function report(source: string, scope: SourceScope, { days, all, loads }: Found, isRemoved: boolean, asJson: boolean) {
  const dates = [...days].sort(([a], [b]) => (a < b ? -1 : 1))
  // Load records stay if only part of the source is removed.
  const forgotten = isNarrow(scope) ? 0 : loads
  if (asJson) {
    const each = dates.map(([date, sum]) => ({ date, ...sum }))
    return printJson({ source, removed: isRemoved, days: each, ...all, loads: forgotten })
  }
  const rows = dates.map(([date, { markets, records }]) => [date, grouped(markets), grouped(records)])
  const what = `${counted(all.records, 'record')} in ${counted(all.markets, 'market')} from ${source}`
  const known = forgotten === 0 ? '' : `, and what is stored about ${counted(forgotten, 'file')},`
  const line = `${what}${known} ${isRemoved ? 'removed' : 'would be removed'}`
  terminal().stdout.write(`${table(['DATE', 'MARKETS', 'RECORDS'], rows)}${line}\n`)
}
