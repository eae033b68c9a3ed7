// `copy`: copies days of markets from one store into another. A store is a data folder or a cluster.

import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import { openStoreAt, type StorePlace } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { ALL_DATES, type CopyChoice, type CopyReport, copyStore } from '../../../workers/copy/copy-store.ts'
import { readConfig } from '../../config/config.ts'
import { ConfigError } from '../../config/config-error.ts'
import { findConfigFile, readConfigFile } from '../../config/config-file.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { venueOption } from '../questions/market-question.ts'
import { assertStore } from '../questions/stored-data.ts'
import { makeDataFolder } from '../server/data-folder.ts'
import { addSettings } from '../settings.ts'
import { counted, megabytes, secondsSince } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import { assertDay, marketOf } from './day-options.ts'

type Options = {
  from: string
  to: string
  config?: string
  venue?: Venue
  market?: string[]
  fromDate?: string
  toDate?: string
  json?: true
}

const STORES = 'a data folder, s3://BUCKET/PREFIX, or a TOML or JSON file with the settings of a cluster'

export function addCopyCommand(program: Command): void {
  const command = addSettings(program.command('copy'), [])
    .description(`copy days of markets from one store into another; a STORE is ${STORES}`)
    .requiredOption('--from <store>', 'the store to read')
    .requiredOption('--to <store>', 'the store to copy into; a data folder is created if it is missing')
    .addOption(venueOption())
    .option('--market <ids...>', 'only these markets of the venue')
    .option('--from-date <date>', 'the first UTC day, YYYY-MM-DD (default: the first stored one)')
    .option('--to-date <date>', 'the last UTC day, YYYY-MM-DD (default: the last stored one)')
    .option('--json', 'print a report as JSON')
    .action(runCopy)
  addExamples(command, [
    'backbook copy --from data --to s3://backbook/production',
    'backbook copy --from s3://backbook/production --to mirror --venue kalshi --from-date 2026-07-01 --json',
  ])
}

async function runCopy({ from, to, config, venue, market, fromDate, toDate, json }: Options): Promise<void> {
  const choice: CopyChoice = {
    venues: venue === undefined ? VENUES : [venue],
    markets: market === undefined ? null : [...new Set(market.map((each) => marketOf(venue, each)))],
    dates: datesOf(fromDate, toDate),
  }
  const [source, target] = [placeOf('--from', from, config), placeOf('--to', to, config)]
  if (source.cluster === null) assertStore(from)
  if (target.cluster === null) makeDataFolder(to)
  if (!source.cluster && !target.cluster && realpathSync(from) === realpathSync(to)) throw sameStore(from, to)
  const startedMs = performance.now()
  const isShown = json !== true && terminal().stderr.isTTY
  const show = ({ copied, same }: CopyReport, { market: name }: { market: string }) => {
    if (!isShown) return
    terminal().stderr.write(`\r\u001b[K${counted(copied, 'day')} copied, ${counted(same, 'day')} the same: `)
    terminal().stderr.write(escapeControls(name))
  }
  await using sourceStore = await opened(source, false)
  await using targetStore = await opened(target, true)
  const secrets = await Promise.all([
    sourceStore.store.catalogue.cursorSecret(),
    targetStore.store.catalogue.cursorSecret(),
  ])
  if (Buffer.compare(...secrets) === 0) throw sameStore(from, to)
  const report = await copyStore({ source: sourceStore.store, target: targetStore.store }, choice, show)
  if (isShown) terminal().stderr.write('\r\u001b[K')
  const seconds = secondsSince(startedMs)
  if (json) printReport({ from, to, ...report, seconds }, { copied: 'days_copied', same: 'days_the_same' })
  else terminal().stdout.write(plainReport(report, seconds))
  if (report.leftOut.length > 0) throw new CommandError('not everything could be copied', EXIT.failed)
  if (report.days === 0) throw new CommandError('none of the requested days is stored', EXIT.notStored)
}

/** Returns the store that a flag names. A cluster is opened without this machine's cache, since every object is read or
 *  written only once. */
function placeOf(flag: string, given: string, config: string | undefined): StorePlace {
  const isFile = /\.(?:toml|json)$/.test(given)
  if (!isFile && !given.startsWith('s3://')) return { folder: given, cluster: null }
  try {
    const settings = isFile
      ? { file: readConfigFile(given) }
      : { variables: { ...terminal().env, STORE_URL: given }, file: findConfigFile(config, terminal().env) }
    const { cluster } = readConfig(settings, 1)
    if (cluster !== null) return { folder: '', cluster: { ...cluster, cacheBytesMax: 0 } }
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(`${flag}: ${error.message}`, EXIT.usage)
    throw error
  }
  throw new CommandError(`${flag} must be ${STORES}: ${given} has no store_url and catalogue_url`, EXIT.usage)
}

async function opened(place: StorePlace, mayWrite: boolean) {
  const store = await openStoreAt(place, { mayWrite })
  return { store, [Symbol.asyncDispose]: () => store.close() }
}

const sameStore = (from: string, to: string) =>
  new CommandError(`--from ${from} and --to ${to} are the same store: name two`, EXIT.usage)

function datesOf(from?: string, to?: string): CopyChoice['dates'] {
  assertDay('--from-date', from)
  assertDay('--to-date', to)
  if (from === undefined && to === undefined) return ALL_DATES
  const dates = { from: from ?? ALL_DATES.from, to: to ?? ALL_DATES.to }
  if (dates.from <= dates.to) return dates
  throw new CommandError(`--from-date must not be after --to-date, got ${dates.from} and ${dates.to}`, EXIT.usage)
}

function plainReport({ markets, days, copied, same, records, bytes, leftOut }: CopyReport, seconds: number): string {
  const lines = leftOut.map(({ venue, market, date, what }) => `left out: ${venue} ${market} ${date ?? ''}: ${what}`)
  const size = `${counted(records, 'record')}, ${megabytes(bytes)}`
  lines.push(
    `${counted(days, 'day')} of ${counted(markets, 'market')}: ${copied} copied (${size}), ${same} the same, ` +
      `${days - copied - same} left out, in ${seconds.toFixed(1)} s`,
  )
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
