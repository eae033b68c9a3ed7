// Puts a backup of a cluster into an empty schema. First everything is checked: the files, what is there already, and
// the objects that the rows name. Then all rows appear at once.

import { join } from 'node:path'
import type { Objects } from '../../../storage/cluster/objects/objects.ts'
import { fillCatalogue, hasTables, SchemaTaken } from '../../../storage/cluster/postgres/copies/catalogue-copy.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { AccountsTaken, fillAccounts, hasAccounts } from '../../accounts/sql/accounts-copy.ts'
import { assertSame, bytesOf, checkFiles } from '../backup-files.ts'
import type { BackupProgress } from '../backup-progress.ts'
import { BackupError, TargetTaken } from '../manifest.ts'
import { type ClusterManifest, type CopyTable, OBJECTS_FILE, pathOf, readClusterManifest } from './cluster-manifest.ts'
import { readRows } from './copied-rows.ts'
import { type LackingObject, lackingObjects, listedObjects } from './named-objects.ts'

export type ClusterTarget = {
  cluster: ClusterSettings
  objects: Objects
  /** The address of the accounts; null where they are in a file. */
  accountsUrl: string | null
}

export type ClusterRestoreOptions = {
  /** Also where objects that the rows name are not in the bucket. */
  force: boolean
  /** Leaves the accounts that are there as they are, and those of the backup out. */
  keepAccounts: boolean
  onProgress: BackupProgress
}

export type CheckedCluster = { manifest: ClusterManifest; lacking: LackingObject[] }

/** Objects that the rows name are not in the bucket, and `force` was not given. */
export class ObjectsLacking extends BackupError {
  readonly lacking: readonly LackingObject[]

  constructor(place: string, lacking: readonly LackingObject[]) {
    const count = lacking.length === 1 ? 'an object' : `${lacking.length} objects`
    super(`${place} lacks ${count} that the backup names: nothing was restored. --force restores nevertheless`)
    this.lacking = lacking
  }
}

/** Reads the whole backup, and looks for the objects that it names. Throws BackupError with the file that is missing,
 *  cut short or changed. */
export async function checkClusterBackup(
  backup: string,
  objects: Objects,
  onProgress: BackupProgress,
): Promise<CheckedCluster> {
  const manifest = readClusterManifest(backup)
  await checkFiles(backup, manifest, (done, of) => onProgress('checking', done, of))
  const onObject = (checked: number) => onProgress('verifying', checked, manifest.objects.count)
  const named = listedObjects(join(backup, OBJECTS_FILE))
  return { manifest, lacking: await Array.fromAsync(lackingObjects(objects, named, onObject)) }
}

/** Throws BackupError, or DataError where an engine does not answer, before anybody sees anything of it. */
export async function restoreClusterBackup(
  backup: string,
  target: ClusterTarget,
  { force, keepAccounts, onProgress }: ClusterRestoreOptions,
): Promise<CheckedCluster> {
  const { accounts } = readClusterManifest(backup)
  const accountsUrl = accounts === 'postgresql' && !keepAccounts ? placeOfAccounts(target) : null
  await assertFree(target, accountsUrl)
  const checked = await checkClusterBackup(backup, target.objects, onProgress)
  const { manifest, lacking } = checked
  const { bucket, prefix } = target.cluster.objects
  if (lacking.length > 0 && !force) throw new ObjectsLacking(`s3://${bucket}/${prefix}`, lacking)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress('restoring', done, Math.max(done, bytesOf(manifest)))
  }
  const tablesOf = (of: CopyTable['of']) => manifest.tables.filter((table) => table.of === of)
  const rowsOf = (of: CopyTable['of']) => (name: string) => {
    const file = manifest.files.find(({ path }) => path === pathOf({ of, name }))!
    return readRows(join(backup, file.path), (digest) => assertSame(backup, file, digest))
  }
  const last = async () => {
    if (accountsUrl === null) return
    await fillAccounts(accountsUrl, tablesOf('accounts'), rowsOf('accounts'), onBytes)
  }
  try {
    await fillCatalogue(target.cluster.catalogue, tablesOf('catalogue'), { rowsOf: rowsOf('catalogue'), last }, onBytes)
  } catch (error) {
    if (error instanceof SchemaTaken) throw schemaTaken(target)
    if (error instanceof AccountsTaken) throw accountsTaken()
    throw error
  }
  return checked
}

function placeOfAccounts({ accountsUrl }: ClusterTarget): string {
  if (accountsUrl !== null) return accountsUrl
  throw new BackupError(
    'the backup has accounts of PostgreSQL, and ACCOUNTS_URL names a file: set another one, or --keep-accounts',
  )
}

async function assertFree(target: ClusterTarget, accountsUrl: string | null): Promise<void> {
  if (await hasTables(target.cluster.catalogue)) throw schemaTaken(target)
  if (accountsUrl !== null && (await hasAccounts(accountsUrl))) throw accountsTaken()
}

const schemaTaken = ({ cluster }: ClusterTarget) =>
  new TargetTaken(
    `the schema ${cluster.catalogue.schema} has tables already: set CATALOGUE_SCHEMA to one that has none`,
  )

const accountsTaken = () =>
  new TargetTaken(
    'the database has accounts already: name an empty one, or --keep-accounts, which leaves them as they are',
  )
