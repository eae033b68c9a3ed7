// `compact`: rewrites the store's file without its free pages. No other process may have the store open.

import type { Command } from 'commander'
import { compactStore } from '../../../storage/keep-store.ts'
import { assertStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { megabytes, secondsSince } from '../terminal/numbers.ts'
import { addExamples } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'

type CompactOptions = CommandOptions & { json?: true }

export function addCompactCommand(program: Command): void {
  const command = addSettings(program.command('compact'), ['data'])
    .description('rewrite the store without free space; stop the server first')
    .option('--json', 'print a report as JSON')
    .action(async ({ json, ...options }: CompactOptions) => {
      const { data } = configOf(options)
      assertStore(data)
      const startedMs = performance.now()
      const progress = new StepProgress(json === true ? undefined : process.stderr)
      const onProgress = (bytes: number, of: number) => progress.show('compacting', bytes, of)
      const { bytesBefore, bytesAfter } = await compactStore(data, onProgress).finally(() => progress.stop())
      const seconds = secondsSince(startedMs)
      const report = { data, bytes_before: bytesBefore, bytes_after: bytesAfter, seconds }
      const line = `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after, in ${seconds.toFixed(1)} s`
      process.stdout.write(json === true ? `${JSON.stringify(report)}\n` : `${line}\n`)
    })
  addExamples(command, ['backbook compact --data data'])
}
