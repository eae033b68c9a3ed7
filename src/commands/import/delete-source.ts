// `delete --source`: removes the records of one archive and leaves all others. Asks for confirmation first.

import { openStoreAt, type Store } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { daysOfSource, deleteSource, type SourceScope } from '../../../workers/remove/delete-source.ts'
import { withStore } from '../questions/stored-data.ts'
import { type CommandOptions, configOf } from '../settings.ts'
import { placeOf } from '../store-place.ts'
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
  const found = await withStore(options, (store) => findSource(store, source, scope))
  if (found.all.records === 0 && (isNarrow(scope) || found.loads === 0)) throw await nothingOf(options, source, scope)
  if (dryRun === true) return report(source, scope, found, false, asJson)
  ask(() => report(source, scope, found, false, false))
  const store = await openStoreAt(placeOf(configOf(options)), { mayWrite: true })
  const progress = new Progress({ total: found.all.records, unit: 'records' }, asJson ? undefined : terminal().stderr)
  try {
    const removed = await remove(store, source, scope, (records) => progress.show(records))
    await store.flushed()
    progress.stop()
    report(source, scope, removed, true, asJson)
  } finally {
    progress.stop()
    await store.close()
  }
}

const isNarrow = ({ venue, market, date }: SourceScope): boolean =>
  venue !== undefined || market !== undefined || date !== undefined

const venuesOf = ({ venue }: SourceScope): readonly Venue[] => (venue === undefined ? VENUES : [venue])

async function findSource(store: Store, source: string, scope: SourceScope): Promise<Found> {
  const found = await emptyFound(store, source)
  const markets = new Set<string>()
  for await (const { venue, market, date, records } of daysOfSource(store, source, venuesOf(scope), scope)) {
    add(found, date, records)
    markets.add(`${venue} ${market}`)
  }
  found.all.markets = markets.size
  return found
}

/** Yields each market once. */
async function* marketsOfSource(store: Store, source: string, scope: SourceScope) {
  let last = ''
  for await (const { venue, market } of daysOfSource(store, source, venuesOf(scope), scope)) {
    if (last === `${venue} ${market}`) continue
    last = `${venue} ${market}`
    yield { venue, market }
  }
}

/** Removes the records market by market. Removes the load records only together with all records of the source. */
async function remove(
  store: Store,
  source: string,
  scope: SourceScope,
  onProgress: (records: number) => void,
): Promise<Found> {
  const removed = await emptyFound(store, source)
  const range = scope.date === undefined ? undefined : { from: scope.date, to: scope.date }
  for await (const { venue, market } of marketsOfSource(store, source, scope)) {
    const days = await deleteSource(store, { venue, market }, source, range)
    for (const { date, records } of days) add(removed, date, records)
    if (days.length > 0) removed.all.markets++
    onProgress(removed.all.records)
  }
  if (!isNarrow(scope)) await store.catalogue.removeLoads(source)
  return removed
}

async function emptyFound({ catalogue }: Store, source: string): Promise<Found> {
  const loads = (await catalogue.loads()).filter((load) => load.source === source)
  return { days: new Map(), all: { markets: 0, records: 0 }, loads: loads.length }
}

function add({ days, all }: Found, date: string, records: number): void {
  const sum = days.get(date) ?? { markets: 0, records: 0 }
  sum.markets++
  sum.records += records
  days.set(date, sum)
  all.records += records
}

async function nothingOf(options: CommandOptions, source: string, scope: SourceScope): Promise<CommandError> {
  const loads = await withStore(options, ({ catalogue }) => catalogue.loads())
  const sources = [...new Set(loads.map((load) => load.source))].sort()
  const known = sources.length === 0 ? 'nothing was imported' : `imported was ${sources.join(', ')}`
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
  const known = forgotten === 0 ? '' : `, and what is known of ${counted(forgotten, 'file')},`
  const line = `${what}${known} ${isRemoved ? 'removed' : 'would be removed'}`
  terminal().stdout.write(`${table(['DATE', 'MARKETS', 'RECORDS'], rows)}${line}\n`)
}
