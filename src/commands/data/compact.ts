// `compact`: rewrites the store's file without its free pages, while no other process has the store open. On a cluster:
// rewrites past days into large objects, while other processes use it.

import type { Command } from 'commander'
import { compactStore } from '../../../storage/keep-store.ts'
import { assertStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { megabytes, secondsSince } from '../terminal/numbers.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type CompactOptions = CommandOptions & { before?: string; json?: true }

export function addCompactCommand(program: Command): void {
  const command = addSettings(program.command('compact'), ['data'])
    .description(
      'rewrite the store in a folder without free space (stop the server first), or past days of a cluster into ' +
        'large objects (beside everything else)',
    )
    .option('--before <date>', 'of a cluster: only days before this UTC date, YYYY-MM-DD (default: today)')
    .option('--json', 'print a report as JSON')
    .action(async ({ before, json, ...options }: CompactOptions) => {
      const { data, cluster } = configOf(options)
      if (cluster !== null) {
        const { compactCluster } = await import('../cluster/compact-cluster.ts')
        return compactCluster(cluster, { ...(before !== undefined && { before }), ...(json && { json }) })
      }
      if (before !== undefined) throw new CommandError('--before is for a store of a cluster', EXIT.usage)
      await compactFolder(data, json === true)
    })
  addExamples(command, ['backbook compact --data data', 'STORE_URL=s3://… CATALOGUE_URL=postgres://… backbook compact'])
}

async function compactFolder(data: string, asJson: boolean): Promise<void> {
  assertStore(data)
  const startedMs = performance.now()
  const progress = new StepProgress(asJson ? undefined : terminal().stderr)
  const onProgress = (bytes: number, of: number) => progress.show('compacting', bytes, of)
  const { bytesBefore, bytesAfter } = await compactStore(data, onProgress).finally(() => progress.stop())
  const seconds = secondsSince(startedMs)
  const report = { data, bytes_before: bytesBefore, bytes_after: bytesAfter, seconds }
  const line = `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after, in ${seconds.toFixed(1)} s`
  terminal().stdout.write(asJson ? `${JSON.stringify(report)}\n` : `${line}\n`)
}
