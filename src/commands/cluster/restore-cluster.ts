// `restore` of a cluster's backup: into an empty schema, or only a check of the backup and of the objects it names.

import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import type { ClusterManifest } from '../../backup/cluster/cluster-manifest.ts'
import type { LackingObject } from '../../backup/cluster/named-objects.ts'
import {
  type CheckedCluster,
  checkClusterBackup,
  ObjectsLacking,
  restoreClusterBackup,
} from '../../backup/cluster/restore-cluster-backup.ts'
import { backupFailure } from '../backup-failure.ts'
import { counted, secondsSince } from '../terminal/numbers.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'
import { addressOfAccounts, contentLine, lackingLines, shownOn } from './backup-cluster.ts'

type Given = { accountsUrl: string | null; force: boolean; keepAccounts: boolean; check: boolean; json: boolean }

export async function restoreCluster(backup: string, cluster: ClusterSettings, given: Given): Promise<void> {
  const { check: isCheck, force, keepAccounts, json } = given
  const startedMs = performance.now()
  const objects = new S3Objects(cluster.objects)
  const progress = new StepProgress(json ? undefined : process.stderr)
  const onProgress = shownOn(progress)
  const target = { cluster, objects, accountsUrl: addressOfAccounts(given.accountsUrl) }
  const work = isCheck
    ? checkClusterBackup(backup, objects, onProgress)
    : restoreClusterBackup(backup, target, { force, keepAccounts, onProgress })
  const { manifest, lacking } = await work
    .catch((error: unknown): CheckedCluster => {
      progress.stop()
      if (error instanceof ObjectsLacking) tellLacking(backup, error.lacking, json)
      throw backupFailure(error)
    })
    .finally(() => progress.stop())
    .finally(() => objects.close())
  const { schema } = cluster.catalogue
  const report = { backup, schema: isCheck ? null : schema, seconds: secondsSince(startedMs), lacking }
  const lines = plainReport(report, manifest, keepAccounts)
  process.stdout.write(json ? `${JSON.stringify({ ...report, ...manifest })}\n` : lines)
  if (isCheck && lacking.length > 0) {
    throw new CommandError(`${counted(lacking.length, 'object')} that the backup names: amiss`, EXIT.failed)
  }
}

function tellLacking(backup: string, lacking: readonly LackingObject[], json: boolean): void {
  const lines = lackingLines(lacking).map((line) => `${line}\n`)
  process.stdout.write(json ? `${JSON.stringify({ backup, schema: null, lacking })}\n` : lines.join(''))
}

type Report = { backup: string; schema: string | null; seconds: number; lacking: LackingObject[] }

function plainReport(
  { backup, schema, seconds, lacking }: Report,
  manifest: ClusterManifest,
  keepAccounts: boolean,
): string {
  const done = schema === null ? 'is whole' : `is in the schema ${schema}`
  const lines = [
    `${backup} of ${manifest.created_at} ${done}, in ${seconds.toFixed(1)} s`,
    contentLine(manifest),
    ...lackingLines(lacking),
  ]
  if (schema !== null) {
    if (manifest.accounts === 'postgresql') {
      lines.push(
        keepAccounts
          ? 'accounts: those that were there; those of the backup were left out'
          : 'keys, plans and usage are those of the backup: revoke again the keys that were revoked since',
      )
    }
    lines.push('what was loaded since the backup is unknown to it: load it again before a sweep removes its objects')
  }
  return lines.map((line) => `${line}\n`).join('')
}
