// `push` and `pull`: copy days of markets from the store in a data folder into a cluster, and from a cluster into a
// folder.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Command } from 'commander'
import { inFolder, type KeptStore, openStoreAt } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { ALL_DATES, type CopyChoice, type CopyReport, copyStore } from '../../../workers/copy/copy-store.ts'
import { COPIED_FILE, CopiedDatabase, type Direction } from '../../copy/copied-database.ts'
import { isUtcDay, mustBe } from '../../http/parameters/parameter.ts'
import { MOUNTS } from '../../http/parameters/venue-parameters.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { venueOption } from '../questions/market-question.ts'
import { assertStore } from '../questions/stored-data.ts'
import { makeDataFolder } from '../server/data-folder.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { counted, megabytes, secondsSince } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'

type CopyOptions = CommandOptions & { venue?: Venue; market?: string[]; from?: string; toDate?: string; json?: true }

const DESCRIPTIONS: Record<Direction, string> = {
  push: 'copy what the store in the data folder has into the cluster, as far as it is missing there',
  pull: 'copy what the cluster has into the store in the data folder, as far as it is missing there',
}

export const addPushCommand = (program: Command): void => addCopyCommand(program, 'push')
export const addPullCommand = (program: Command): void => addCopyCommand(program, 'pull')

function addCopyCommand(program: Command, direction: Direction): void {
  const command = addSettings(program.command(direction), ['data'])
    .description(`${DESCRIPTIONS[direction]}; STORE_URL and CATALOGUE_URL name the cluster`)
    .addOption(venueOption())
    .option('--market <ids...>', 'only these markets of the venue')
    .option('--from <date>', 'the first UTC day, YYYY-MM-DD (default: the first stored one)')
    .option('--to-date <date>', 'the last UTC day, YYYY-MM-DD (default: the last stored one)')
    .option('--json', 'print a report as JSON')
    .action((options: CopyOptions) => runCopy(direction, options))
  addExamples(command, [
    `backbook ${direction} --data data`,
    `backbook ${direction} --data data --venue kalshi --market KXDEMODAY-26JUL20-T50 --from 2026-07-01 --json`,
  ])
}

async function runCopy(
  direction: Direction,
  { venue, market, from, toDate, json, ...options }: CopyOptions,
): Promise<void> {
  const choice = choiceOf(venue, market, from, toDate)
  const { data, cluster } = configOf(options)
  if (cluster === null) {
    throw new CommandError(`${direction} needs a cluster: set STORE_URL and CATALOGUE_URL`, EXIT.usage)
  }
  if (direction === 'push') assertStore(data)
  else makeDataFolder(data)
  const startedMs = performance.now()
  const isShown = json !== true && process.stderr.isTTY
  const show = ({ copied, same }: CopyReport, { market: name }: { market: string }) => {
    if (!isShown) return
    process.stderr.write(`\r\u001b[K${counted(copied, 'day')} copied, ${counted(same, 'day')} the same: `)
    process.stderr.write(escapeControls(name))
  }
  const isPush = direction === 'push'
  await using local = closing(await openStoreAt(inFolder(data), { mayWrite: !isPush }))
  await using remote = closing(await openStoreAt({ folder: data, cluster }, { mayWrite: isPush }))
  const states = new CopiedDatabase(join(data, COPIED_FILE), await nameOf(remote.store), direction)
  const [source, target] = isPush ? [local.store, remote.store] : [remote.store, local.store]
  const report = await copyStore({ source, target, states }, choice, show).finally(() => states.close())
  if (isShown) process.stderr.write('\r\u001b[K')
  const seconds = secondsSince(startedMs)
  if (json) printReport({ data, ...report, seconds }, { copied: 'days_copied', same: 'days_the_same' })
  else process.stdout.write(plainReport(report, seconds))
  if (report.refused.length > 0) {
    throw new CommandError(`${counted(report.refused.length, 'day')} could not be copied`, EXIT.failed)
  }
  if (report.markets === 0) throw new CommandError('there are no such days to copy', EXIT.notStored)
}

const closing = (store: KeptStore) => ({ store, [Symbol.asyncDispose]: () => store.close() })

/** Of the cluster itself: it may be reached by another address one day, and another one by this. */
async function nameOf({ catalogue }: KeptStore): Promise<string> {
  return createHash('sha256')
    .update(await catalogue.cursorSecret())
    .digest('hex')
    .slice(0, 32)
}

function choiceOf(venue?: Venue, markets?: string[], from?: string, to?: string): CopyChoice {
  for (const [flag, given] of [['--from', from] as const, ['--to-date', to] as const]) {
    if (given === undefined || isUtcDay(given)) continue
    throw new CommandError(`${flag} ${mustBe('a UTC date written YYYY-MM-DD', given)}`, EXIT.usage)
  }
  const dates =
    from === undefined && to === undefined ? null : { ...ALL_DATES, ...(from && { from }), ...(to && { to }) }
  if (dates !== null && dates.from > dates.to) {
    throw new CommandError(`--from must not be after --to-date, got ${dates.from} and ${dates.to}`, EXIT.usage)
  }
  return { venues: venue === undefined ? VENUES : [venue], markets: marketsOf(venue, markets), dates }
}

function marketsOf(venue: Venue | undefined, markets: string[] | undefined): string[] | null {
  if (markets === undefined) return null
  if (venue === undefined) throw new CommandError('--market needs --venue: say which one they are of', EXIT.usage)
  const { id, normalizeId } = MOUNTS.find(({ parameters }) => parameters.venue === venue)!.parameters
  const wrong = markets.find((market) => !id.matches(market))
  if (wrong !== undefined) throw new CommandError(`--market ${mustBe(id.accepts, wrong)}`, EXIT.usage)
  return [...new Set(markets.map(normalizeId))]
}

function plainReport({ markets, copied, same, records, bytes, refused }: CopyReport, seconds: number): string {
  const lines = refused.map(({ venue, market, date, what }) => `left out: ${venue} ${market} ${date ?? ''}: ${what}`)
  lines.push(
    `${counted(copied, 'day')} of ${counted(markets, 'market')} copied (${counted(records, 'record')}, ` +
      `${megabytes(bytes)}), ${counted(same, 'day')} there already, in ${seconds.toFixed(1)} s`,
  )
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
