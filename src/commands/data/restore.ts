// `restore`: restores a backup into a data folder, or only checks the backup.

import type { Command } from 'commander'
import type { Manifest } from '../../backup/manifest.ts'
import { checkBackup, restoreBackup } from '../../backup/restore-backup.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { CLUSTER_BACKUP, folderOf } from '../store-place.ts'
import { counted, secondsSince } from '../terminal/numbers.ts'
import { addExamples } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type Options = CommandOptions & { force?: true; check?: true; json?: true }

export function addRestoreCommand(program: Command): void {
  const command = addSettings(program.command('restore'), ['data', 'accounts_url'])
    .description('put a backup in a data folder')
    .argument('<backup>', 'folder that backup made')
    .option('--force', 'move the existing store and accounts aside')
    .option('--check', 'only check the backup')
    .option('--json', 'print a report as JSON')
    .action(runRestore)
  addExamples(command, [
    'backbook restore backups/monday --check',
    'backbook restore backups/monday --data data --force',
  ])
}

async function runRestore(backup: string, { force, check, json, ...options }: Options): Promise<void> {
  const data = folderOf(configOf(options), 'restore', CLUSTER_BACKUP)
  const startedMs = performance.now()
  const isCheck = check === true
  const progress = new StepProgress(json === true ? undefined : terminal().stderr)
  const work = isCheck
    ? checkBackup(backup, progress.show).then((manifest) => ({ manifest, movedTo: null }))
    : restoreBackup(backup, data, { force: force === true, onProgress: progress.show })
  const { manifest, movedTo } = await work.finally(() => progress.stop())
  const seconds = secondsSince(startedMs)
  const report = { backup, data: isCheck ? null : data, moved_to: movedTo, seconds, ...manifest }
  terminal().stdout.write(json === true ? `${JSON.stringify(report)}\n` : plainReport(report, manifest))
}

function plainReport(
  {
    backup,
    data,
    moved_to,
    seconds,
  }: { backup: string; data: string | null; moved_to: string | null; seconds: number },
  { store, accounts, created_at }: Manifest,
): string {
  const done = data === null ? 'is whole' : `is in ${data}`
  const lines = [
    `${backup} of ${created_at} ${done}: ${counted(store.records, 'record')} in ${counted(store.market_days, 'market day')}, ` +
      `in ${seconds.toFixed(1)} s`,
  ]
  if (moved_to !== null) lines.push(`the previous data was moved to ${moved_to}`)
  if (data !== null && accounts === 'sqlite') {
    lines.push('keys, plans and usage are as in the backup: revoke again any key that was revoked after the backup')
  }
  if (accounts === 'postgresql') lines.push('accounts: not included (in PostgreSQL); restore them with pg_restore')
  return lines.map((line) => `${line}\n`).join('')
}
