// `imports`: lists the imported archive files, and what is known about each.

import type { Command } from 'commander'
import type { ArchiveLoad } from '../../../storage/finding/provenance.ts'
import { withStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'

export function addImportsCommand(program: Command): void {
  const command = addSettings(program.command('imports'), ['data'])
    .description('list the files of archives that were imported: source, licence, clock, order, counts')
    .option('--json', 'print all that is known of them as JSON')
    .action(runImports)
  addExamples(command, ['backbook imports --data data', 'backbook imports --json | jq .imports[].licence'])
}

async function runImports({ json, ...options }: CommandOptions & { json?: true }): Promise<void> {
  const loads = await withStore(options, ({ catalogue }) => catalogue.loads())
  if (json === true) return printReport({ imports: loads.map(printed) })
  if (loads.length === 0) return void terminal().stderr.write('nothing was imported\n')
  const rows = loads.map((load) => [
    ...[load.source, load.file, grouped(load.rows), grouped(load.records)],
    ...[load.licence, load.clock, load.order, load.repairs.join(', ') || null],
    load.finishedAt === null ? 'not finished' : new Date(load.finishedAt).toISOString().slice(0, 16),
  ])
  const columns = ['SOURCE', 'FILE', 'ROWS', 'RECORDS', 'LICENCE', 'CLOCK', 'ORDER', 'REPAIRS', 'FINISHED']
  terminal().stdout.write(table(columns, rows))
}

/** Returns a load without its checkpoint, which only an import uses. */
const printed = ({ checkpoint: _, ...load }: ArchiveLoad) => load
