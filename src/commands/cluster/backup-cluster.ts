// `backup` of a cluster: copies the catalogue and the accounts, and names the objects.

import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import type { BackupProgress } from '../../backup/backup-progress.ts'
import type { ClusterManifest } from '../../backup/cluster/cluster-manifest.ts'
import { makeClusterBackup, type ObjectCheck } from '../../backup/cluster/make-cluster-backup.ts'
import type { LackingObject } from '../../backup/cluster/named-objects.ts'
import { backupFailure } from '../backup-failure.ts'
import { counted, grouped, megabytes, secondsSince } from '../terminal/numbers.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'

const LACKING_SHOWN = 20

type Given = { accountsUrl: string | null; check: ObjectCheck; json: boolean }

export async function backupCluster(
  backup: string,
  cluster: ClusterSettings,
  { accountsUrl, check, json }: Given,
): Promise<void> {
  const startedMs = performance.now()
  const objects = new S3Objects(cluster.objects)
  const progress = new StepProgress(json ? undefined : process.stderr)
  const source = { cluster, objects, accountsUrl: addressOfAccounts(accountsUrl) }
  const { manifest, lacking } = await makeClusterBackup(source, backup, { check, onProgress: shownOn(progress) })
    .catch((error: unknown) => {
      throw backupFailure(error)
    })
    .finally(() => progress.stop())
    .finally(() => objects.close())
  const seconds = secondsSince(startedMs)
  const report = { backup, seconds, checked: check, lacking }
  process.stdout.write(json ? `${JSON.stringify({ ...report, ...manifest })}\n` : plainReport(report, manifest))
  if (lacking.length > 0) {
    throw new CommandError(`the backup was made, and names ${counted(lacking.length, 'object')} amiss`, EXIT.failed)
  }
}

/** Null where they are in a file. */
export const addressOfAccounts = (accountsUrl: string | null): string | null =>
  accountsUrl?.startsWith('sqlite://') ? null : accountsUrl

export const shownOn =
  (progress: StepProgress): BackupProgress =>
  (step, done, of) =>
    progress.show(step, done, of, step === 'verifying' ? 'objects' : 'bytes')

export function lackingLines(lacking: readonly LackingObject[]): string[] {
  const lines = lacking.slice(0, LACKING_SHOWN).map(({ key, what }) => `amiss: ${key}: ${what}`)
  const more = lacking.length - lines.length
  return more > 0 ? [...lines, `amiss: ${grouped(more)} more, which --json lists`] : lines
}

export const contentLine = ({ catalogue }: ClusterManifest): string =>
  `${counted(catalogue.records, 'record')} in ${counted(catalogue.market_days, 'market day')} of ` +
  counted(catalogue.markets, 'market')

type Report = { backup: string; seconds: number; checked: ObjectCheck; lacking: LackingObject[] }

function plainReport({ backup, seconds, checked, lacking }: Report, manifest: ClusterManifest): string {
  const { objects, accounts, files } = manifest
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const named = `${counted(objects.count, 'object')} (${megabytes(objects.bytes)}) in ${objects.place}`
  const found = { none: '', size: ', all there with their sizes', checksum: ', all read and as their names say' }
  return [
    `${backup}: ${megabytes(bytes)} in ${counted(files.length, 'file')}, in ${seconds.toFixed(1)} s`,
    contentLine(manifest),
    `named, and not in it: ${named}${lacking.length > 0 ? '' : found[checked]}`,
    `a sweep may remove some of them from ${objects.kept_until} on; a longer sweep --grace keeps them`,
    ACCOUNTS_LINES[accounts],
    ...lackingLines(lacking),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

const ACCOUNTS_LINES: Record<ClusterManifest['accounts'], string> = {
  postgresql: 'accounts: in it',
  none: 'accounts: none',
  elsewhere: 'accounts: not in it, ACCOUNTS_URL names a file',
}
