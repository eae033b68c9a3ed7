// `upgrade`: turns a store that an earlier version made into one of today's format.

import type { Command } from 'commander'
import { upgradeFolder } from '../../../workers/upgrade/upgrade-folder.ts'
import { assertStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { folderOf } from '../store-place.ts'
import { counted, secondsSince } from '../terminal/numbers.ts'
import { addExamples } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'

type UpgradeOptions = CommandOptions & { json?: true }

export function addUpgradeCommand(program: Command): void {
  const command = addSettings(program.command('upgrade'), ['data'])
    .description('convert a store of version 0.1.0; stop the server first')
    .option('--json', 'print a report as JSON')
    .action(async ({ json, ...options }: UpgradeOptions) => {
      const data = folderOf(configOf(options), 'upgrade', 'upgrade a folder without it, then copy the folder')
      assertStore(data)
      const startedMs = performance.now()
      const progress = new StepProgress(json === true ? undefined : process.stderr)
      const upgraded = await upgradeFolder(data, (step, done, of) =>
        progress.show(step, done, of, 'market days'),
      ).finally(() => progress.stop())
      const seconds = secondsSince(startedMs)
      const { partitions = 0, records = 0, keptAs = null } = upgraded ?? {}
      const report = { data, upgraded: upgraded !== null, market_days: partitions, records, kept_as: keptAs, seconds }
      const lines =
        upgraded === null
          ? [`the store in ${data} has the newest format: there is nothing to do`]
          : [
              `${counted(records, 'record')} in ${counted(partitions, 'market day')} upgraded and compared, in ${seconds.toFixed(1)} s`,
              `the old store is in ${keptAs}: remove it when you no longer need it`,
            ]
      process.stdout.write(json === true ? `${JSON.stringify(report)}\n` : lines.map((line) => `${line}\n`).join(''))
    })
  addExamples(command, ['backbook upgrade --data data', 'backbook upgrade --data data --json'])
}
