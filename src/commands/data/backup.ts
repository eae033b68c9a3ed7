// `backup`: copies a data folder consistently while other processes read and write it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ACCOUNTS_FILE } from '../../accounts/open-accounts.ts'
import { type BackupProgress, unitOf } from '../../backup/backup-progress.ts'
import { makeBackup } from '../../backup/make-backup.ts'
import type { Manifest } from '../../backup/manifest.ts'
import { assertStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { CLUSTER_BACKUP, folderOf } from '../store-place.ts'
import { counted, megabytes, secondsSince } from '../terminal/numbers.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type BackupOptions = CommandOptions & { verify?: true; json?: true }

export function addBackupCommand(program: Command): void {
  const command = addSettings(program.command('backup'), ['data', 'accounts_url'])
    .description('copy a data folder, also while servers and loads use it')
    .argument('<folder>', 'folder to make for the backup')
    .option('--verify', 'read and check the whole copy')
    .option('--json', 'print a report as JSON')
    .action(runBackup)
  addExamples(command, ['backbook backup backups/monday --data data', 'backbook backup backups/monday --verify --json'])
}

async function runBackup(backup: string, { verify, json, ...options }: BackupOptions): Promise<void> {
  const config = configOf(options)
  const data = folderOf(config, 'backup', CLUSTER_BACKUP)
  assertStore(data)
  const startedMs = performance.now()
  const progress = new StepProgress(json === true ? undefined : terminal().stderr)
  const isVerified = verify === true
  const onProgress: BackupProgress = (step, done, of) => progress.show(step, done, of, unitOf(step))
  const source = { data, accountsFile: accountsFileOf(data, config.accountsUrl) }
  const made = makeBackup(source, backup, { verify: isVerified, onProgress })
  const manifest = await made.finally(() => progress.stop())
  const seconds = secondsSince(startedMs)
  terminal().stdout.write(
    json === true
      ? `${JSON.stringify({ backup, seconds, verified: isVerified, ...manifest })}\n`
      : plainReport(backup, manifest, { seconds, isVerified }),
  )
}

/** Returns the SQLite file of the accounts; null if they are in PostgreSQL. */
function accountsFileOf(data: string, accountsUrl: string | null): string | null {
  if (accountsUrl === null) return join(data, ACCOUNTS_FILE)
  if (!accountsUrl.startsWith('sqlite://')) return null
  const path = accountsUrl.slice('sqlite://'.length)
  if (existsSync(path)) return path
  throw new CommandError(`ACCOUNTS_URL must name an existing file, got ${JSON.stringify(path)}`, EXIT.usage)
}

function plainReport(
  backup: string,
  { store, accounts, files, not_included }: Manifest,
  { seconds, isVerified }: { seconds: number; isVerified: boolean },
): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const lines = [
    `${backup}: ${megabytes(bytes)} in ${counted(files.length, 'file')}, in ${seconds.toFixed(1)} s`,
    `${counted(store.records, 'record')} in ${counted(store.market_days, 'market day')} of ${counted(store.markets, 'market')}` +
      (isVerified ? ', all read and verified' : ''),
    accountsLine(accounts),
  ]
  if (not_included.length > 0) lines.push(`not included: ${not_included.join(', ')}`)
  return lines.map((line) => `${line}\n`).join('')
}

function accountsLine(accounts: Manifest['accounts']): string {
  if (accounts === 'sqlite') return 'accounts: included'
  if (accounts === 'none') return 'accounts: none'
  return 'accounts: not included (in PostgreSQL); back them up with pg_dump'
}
