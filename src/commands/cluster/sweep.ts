// `sweep`: removes objects of a cluster that the catalogue no longer names.

import type { Command } from 'commander'
import {
  GRACE_MS,
  GRACE_MS_MIN,
  type SweepReport,
  sweep,
  WrongCatalogue,
} from '../../../storage/cluster/upkeep/sweep.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { counted, grouped, megabytes } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import { withCluster } from './cluster-parts.ts'

type SweepOptions = CommandOptions & { grace: string; dryRun?: true; force?: true; json?: true }

const HOUR_MS = 3_600_000
const HOURS_MAX = 24 * 365

export function addSweepCommand(program: Command): void {
  const command = addSettings(program.command('sweep'), ['data'])
    .description('remove objects of a cluster that no row refers to any more; can run beside everything else')
    .option('--grace <hours>', 'only objects that no row has referred to for this long', `${GRACE_MS / HOUR_MS}`)
    .option('--dry-run', 'only print what would be removed')
    .option('--force', 'also if the catalogue knows less than a tenth of the objects')
    .option('--json', 'print a report as JSON')
    .action(runSweep)
  addExamples(command, ['backbook sweep --dry-run', 'backbook sweep --grace 72 --json'])
}

async function runSweep({ grace, dryRun, force, json, ...options }: SweepOptions): Promise<void> {
  const graceMs = graceOf(grace)
  const { cluster } = configOf(options)
  if (cluster === null) {
    const line = 'a store in a data folder has nothing to sweep: compact releases its free space'
    if (json) printReport({ swept: null, why: line })
    else terminal().stdout.write(`${line}\n`)
    return
  }
  const given = { graceMs, isDryRun: dryRun === true, isForced: force === true }
  const report = await withCluster(cluster, (parts) => sweep(parts, given)).catch((error: unknown) => {
    if (!(error instanceof WrongCatalogue)) throw error
    throw new CommandError(`${error.message}; --force removes them`, EXIT.failed)
  })
  if (json) printReport({ removed: dryRun !== true, graceHours: graceMs / HOUR_MS, ...report })
  else terminal().stdout.write(plainReport(report, dryRun === true))
}

function graceOf(given: string): number {
  const hours = Number(given)
  const least = GRACE_MS_MIN / HOUR_MS
  if (/^\d+(?:\.\d+)?$/.test(given) && hours >= least && hours <= HOURS_MAX) return hours * HOUR_MS
  throw new CommandError(`--grace ${mustBe(`hours, from ${least} to ${grouped(HOURS_MAX)}`, given)}`, EXIT.usage)
}

function plainReport(
  { unnamed, unnamedBytes, unknown, unknownBytes, foreign }: SweepReport,
  isDryRun: boolean,
): string {
  const done = isDryRun ? 'would be removed' : 'removed'
  const lines = [
    `${counted(unnamed, 'object')} that no row refers to any more (${megabytes(unnamedBytes)}) ${done}`,
    `${counted(unknown, 'object')} that no row ever referred to (${megabytes(unknownBytes)}) ${done}`,
  ]
  if (foreign > 0) lines.push(`${counted(foreign, 'object')} with other names left alone`)
  return lines.map((line) => `${line}\n`).join('')
}
