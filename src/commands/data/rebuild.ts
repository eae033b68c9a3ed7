// `rebuild`: makes the index of a damaged store again from its blocks.

import type { Command } from 'commander'
import { type RebuiltFolder, rebuildFolder } from '../../../workers/rebuild/rebuild-folder.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { assertStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { folderOf } from '../store-place.ts'
import { counted, grouped, secondsSince } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'

type RebuildOptions = CommandOptions & { json?: true }

export function addRebuildCommand(program: Command): void {
  const command = addSettings(program.command('rebuild'), ['data'])
    .description('make the index of a damaged store again from its blocks; stop the server first')
    .option('--json', 'print a report as JSON')
    .action(async ({ json, ...options }: RebuildOptions) => {
      const data = folderOf(configOf(options), 'rebuild', 'restore a backup of its catalogue')
      assertStore(data)
      const startedMs = performance.now()
      const progress = new StepProgress(json === true ? undefined : process.stderr)
      const rebuilt = await rebuildFolder(data, (step, done, of) =>
        progress.show(step, done, of, step === 'searching' ? 'bytes' : 'market days'),
      ).finally(() => progress.stop())
      const report = { data, ...rebuilt, seconds: secondsSince(startedMs) }
      if (json === true)
        printReport(report, {
          partitions: 'market_days',
          areSlugsWhole: 'slugs_whole',
          isMetadataWhole: 'metadata_whole',
        })
      else process.stdout.write(plainReport(report))
    })
  addExamples(command, ['backbook rebuild --data data', 'backbook rebuild --data data --json'])
}

function plainReport({
  partitions,
  records,
  unsure,
  areSlugsWhole,
  isMetadataWhole,
  keptAs,
  seconds,
}: RebuiltFolder & { seconds: number }) {
  const lines = [`${counted(records, 'record')} in ${counted(partitions, 'market day')}, in ${seconds.toFixed(1)} s`]
  for (const { venue, market, date, records: found, expected } of unsure) {
    const had = expected === null ? 'its index entry was lost' : `it had ${grouped(expected)}`
    lines.push(`not certain: ${venue} ${market} ${date}: ${counted(found, 'record')} found, ${had}`)
  }
  if (!areSlugsWhole || !isMetadataWhole)
    lines.push('metadata of markets may be missing: load it again with ingest --markets')
  lines.push(`the old store is in ${keptAs}: remove it when you no longer need it`)
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
