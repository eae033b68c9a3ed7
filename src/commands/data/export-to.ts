// `export --to`: whole days of markets as files of another program.

import { type Command, Option } from 'commander'
import { IDENTITIES, type Venue } from '../../../storage/venue.ts'
import { type Choice, chooseDays, dateRange } from '../../export/choose-days.ts'
import { ExportFolder } from '../../export/export-folder.ts'
import { type ExportReport, runExport } from '../../export/run-export.ts'
import type { ExportTarget } from '../../export/target.ts'
import { TARGET_NAMES, TARGETS } from '../../export/targets.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { withStore } from '../questions/stored-data.ts'
import type { CommandOptions } from '../settings.ts'
import { counted, grouped, megabytes } from '../terminal/numbers.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

export type TargetOptions = CommandOptions & {
  to?: string
  venue: Venue
  market?: string[]
  date?: string[]
  event?: string
  assetId?: string
  output?: string
}

/** Flags that only some targets take, without duplicates. */
const OWN_FLAGS = new Map(TARGETS.flatMap(({ options }) => options.map((option) => [option.name, option] as const)))

/** Flags of `export` that do not go with `--to`, in commander's spelling. */
const OTHER_FLAGS = ['format', 'force', 'start', 'end', 'source'] as const

export function addTargetFlags(command: Command): void {
  const targets = TARGETS.map(({ name, about }) => `${name} (${about})`).join('; ')
  command
    .addOption(new Option('--to <target>', `write days as files for ${targets}`).choices(TARGET_NAMES))
    .option('--event <id>', 'with --to: all markets of an event, in addition to those of --market')
  for (const { name, value, about, choices } of OWN_FLAGS.values()) {
    command.addOption(new Option(`--${name} <${value}>`, `with ${takersOf(name)}: ${about}`).choices(choices))
  }
}

const takersOf = (flag: string): string =>
  TARGETS.filter(({ options }) => options.some(({ name }) => name === flag))
    .map(({ name }) => `--to ${name}`)
    .join(', ')

/** Throws CommandError for a flag that only goes with `--to`. */
export function assertNoTargetFlags(options: CommandOptions): void {
  if (options['event'] !== undefined) {
    throw new CommandError(`--event needs --to: give ${TARGET_NAMES.join(', ')}`, EXIT.usage)
  }
  for (const name of OWN_FLAGS.keys()) {
    if (options[name] !== undefined) throw new CommandError(`--${name} is for ${takersOf(name)}`, EXIT.usage)
  }
}

export async function exportTo(to: string, options: TargetOptions): Promise<void> {
  const target = TARGETS.find(({ name }) => name === to)!
  const { output } = options
  assertFlags(target, options)
  if (output === undefined || output === '-' || output === '') {
    throw new CommandError('--output is required with --to: the folder to write to', EXIT.usage)
  }
  const choice = choiceOf(options)
  await withStore(options, async (store) => {
    const markets = await chooseDays(store.catalogue, choice)
    const folder = new ExportFolder(output)
    const total = markets.reduce((sum, { dates }) => sum + dates.length, 0)
    const progress = new Progress({ total, unit: 'days' }, terminal().stderr)
    const order = { target, markets, assetId: options.assetId, options: ownOptions(target, options) }
    const report = await runExport(store, folder, order, (days) => progress.show(days)).finally(() => progress.stop())
    for (const line of reportLines(report, output)) terminal().stderr.write(`${escapeControls(line)}\n`)
  })
}

/** Throws CommandError if a required flag is missing, or if a flag does not fit the target. */
function assertFlags({ name, options: own }: ExportTarget, options: TargetOptions): void {
  const others = OTHER_FLAGS.find((flag) => options[flag] !== undefined)
  if (others !== undefined) throw new CommandError(`--${others} is not for --to, which writes whole days`, EXIT.usage)
  const foreign = [...OWN_FLAGS.keys()].find(
    (flag) => options[flag] !== undefined && !own.some((of) => of.name === flag),
  )
  if (foreign !== undefined) throw new CommandError(`--${foreign} is not for --to ${name}`, EXIT.usage)
  if (options.market === undefined && options.event === undefined) {
    throw new CommandError('--market or --event is required with --to: name what to export', EXIT.usage)
  }
  if (options.assetId !== undefined && !IDENTITIES[options.venue].hasAssets) {
    throw new CommandError(
      `--asset-id is not for --venue ${options.venue}: a ${options.venue} market has one book`,
      EXIT.usage,
    )
  }
}

const choiceOf = ({ venue, market = [], event, date = [], assetId }: TargetOptions): Choice => ({
  venue,
  markets: market.flatMap((each) => each.split(',')),
  event,
  dates: date.flatMap((each) => each.split(',')).map(dateRange),
  assetId,
})

const ownOptions = (target: ExportTarget, options: CommandOptions): Record<string, string> =>
  Object.fromEntries(target.options.map((own) => [own.name, (options[own.name] as string | undefined) ?? own.default]))

function reportLines(report: ExportReport, folder: string): string[] {
  const { markets, days, unchangedDays, files, rows, bytes, figures } = report
  const unchanged = unchangedDays === 0 ? '' : `, ${counted(unchangedDays, 'day')} as before`
  const sums = Object.entries(figures).filter(([, count]) => count > 0)
  return [
    `${counted(rows, 'row')} in ${counted(files, 'file')} (${megabytes(bytes)}) in ${folder}: ` +
      `${counted(markets, 'market')}, ${counted(days, 'day')}${unchanged}`,
    ...sums.map(([name, count]) => `  ${grouped(count)} ${count === 1 ? singular(name) : name}`),
  ]
}

/** Returns the singular of the name of a count. The name is a plural; its noun is the first word that ends in s. */
const singular = (name: string): string => name.replace(/s\b/, '')
