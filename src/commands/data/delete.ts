// `delete`: removes a market with its metadata, one day of it, or the records of an archive. Asks for confirmation
// first.

import type { Command } from 'commander'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { type DeletedDay, deleteDays } from '../../../workers/remove/delete-days.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { venueOption } from '../questions/market-question.ts'
import { nothingStored, withStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { placeOf, withStoreAt } from '../store-place.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'
import { assertDay } from './day-options.ts'

type DeleteOptions = CommandOptions & {
  market?: string
  source?: string
  date?: string
  venue?: Venue
  keepMetadata?: true
  dryRun?: true
  yes?: true
  json?: true
}

/** `metadata`: whether the market's metadata is removed, too. */
type Chosen = { venue: Venue; market: string; days: DeletedDay[]; metadata: boolean }

export function addDeleteCommand(program: Command): void {
  const command = addSettings(program.command('delete'), ['data'])
    .description('remove a market, one day of it, or what was imported from an archive')
    .option('--market <id>', 'the market: a condition id of Polymarket, a ticker of Kalshi')
    .option('--source <name>', 'only records from this archive (see imports); without --market, of all markets')
    .option('--date <date>', 'only this UTC day, YYYY-MM-DD')
    .addOption(venueOption())
    .option('--keep-metadata', 'keep the metadata of the market; with --date it stays anyway')
    .option('--dry-run', 'only print what would be removed')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print a report as JSON')
    .action(runDelete)
  addExamples(command, [
    'backbook delete --market KXDEMODAY-26JUL20-T50 --dry-run',
    'backbook delete --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --yes',
    'backbook delete --source pmxt-v2 --dry-run',
  ])
}

async function runDelete({ market, source, ...options }: DeleteOptions): Promise<void> {
  const { keepMetadata, yes, json, date } = options
  assertDay('--date', date)
  const ask = (show: () => void) => assertYes(yes === true, json === true, show)
  if (source === undefined) {
    if (market === undefined) throw new CommandError('delete needs --market or --source', EXIT.usage)
    return deleteMarket({ market, ...options }, ask)
  }
  if (keepMetadata === true) throw new CommandError('--keep-metadata cannot be combined with --source', EXIT.usage)
  const { runDeleteSource } = await import('../import/delete-source.ts')
  await runDeleteSource({ ...options, ...(market !== undefined && { market }), source, ask })
}

async function deleteMarket(
  { market, date, venue, keepMetadata, dryRun, json, ...options }: DeleteOptions & { market: string },
  ask: (show: () => void) => void,
): Promise<void> {
  const chosen = await withStore(options, async ({ catalogue }) => {
    const venues = venue === undefined ? VENUES : [venue]
    const range = date === undefined ? undefined : { from: date, to: date }
    const found: Chosen[] = []
    for (const each of venues) {
      const heads = await catalogue.heads(each, market, range)
      const mayRemoveMetadata = date === undefined && keepMetadata !== true
      const metadata = mayRemoveMetadata && (await catalogue.knownMarket(each, market)) !== undefined
      if (heads.length === 0 && !metadata) continue
      const days = heads.map((day) => ({ date: day.date, records: day.head.recordCount }))
      found.push({ venue: each, market, days, metadata })
    }
    if (found.length === 0 && venue !== undefined) {
      throw await nothingStored(catalogue, venue, market, { dates: date === undefined ? undefined : [date] })
    }
    return onlyOne(found, { market, date })
  })
  if (dryRun === true) return report(chosen, false, json === true)
  ask(() => report(chosen, false, false))
  await withStoreAt(placeOf(configOf(options)), { mayWrite: true }, async (store) => {
    const days = await deleteDays(store, chosen.venue, market, date)
    if (chosen.metadata) await store.catalogue.removeMetadata(chosen.venue, market)
    await store.flushed()
    report({ ...chosen, days }, true, json === true)
  })
}

/** Throws CommandError unless the user confirms what `show` prints. */
function assertYes(isConfirmed: boolean, asJson: boolean, show: () => void): void {
  if (isConfirmed) return
  if (asJson || terminal().stdin.isTTY !== true) {
    throw new CommandError(
      'delete asks first on a terminal: give --yes, or --dry-run to see what it would remove',
      EXIT.usage,
    )
  }
  show()
  if (!confirm('Remove this?')) throw new CommandError('nothing was removed', EXIT.failed)
}

function onlyOne(found: Chosen[], { market, date }: { market: string; date: string | undefined }): Chosen {
  const [only, other] = found
  if (only === undefined) {
    const on = date === undefined ? '' : ` on ${date}`
    throw new CommandError(`nothing is stored of the market ${JSON.stringify(market)}${on}`, EXIT.notStored)
  }
  if (other !== undefined) throw new CommandError('both venues have a market of this name: give --venue', EXIT.usage)
  return only
}

function report({ venue, market, days, metadata }: Chosen, isRemoved: boolean, asJson: boolean): void {
  const records = days.reduce((sum, day) => sum + day.records, 0)
  if (asJson) return printJson({ venue, market, removed: isRemoved, days, records, metadata })
  const rows = days.map((day) => [day.date, grouped(day.records)])
  const what = `${counted(records, 'record')} in ${counted(days.length, 'day')} of the ${venue} market ${market}`
  const line = `${what}${metadata ? ', and its metadata,' : ''} ${isRemoved ? 'removed' : 'would be removed'}`
  terminal().stdout.write(`${table(['DATE', 'RECORDS'], rows)}${escapeControls(line)}\n`)
}
