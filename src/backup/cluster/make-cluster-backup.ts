// Makes a backup of a cluster's catalogue and accounts while nodes and loads use them, and names the objects that the
// rows name. Objects never change, so they stay where they are. The backup is a folder with a manifest; until it is
// whole it has another name.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Objects } from '../../../storage/cluster/objects/objects.ts'
import { copyCatalogue } from '../../../storage/cluster/postgres/copies/catalogue-copy.ts'
import type { CopiedTable } from '../../../storage/cluster/postgres/copies/table-rows.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { GRACE_MS } from '../../../storage/cluster/upkeep/sweep.ts'
import { syncFolder } from '../../../storage/data-folder/replacement.ts'
import { copyAccounts } from '../../accounts/sql/accounts-copy.ts'
import { VERSION } from '../../version.ts'
import type { BackupProgress } from '../backup-progress.ts'
import { madeInFolder } from '../made-in-folder.ts'
import type { BackupFile } from '../manifest.ts'
import { CLUSTER_FORMAT, type ClusterManifest, type CopyTable, OBJECTS_FILE, pathOf } from './cluster-manifest.ts'
import { writeRows } from './copied-rows.ts'
import { damagedObjects, type LackingObject, lackingObjects, listedObjects } from './named-objects.ts'

/** A commit that was under way when the copy was taken may have left an object so long before. */
const UNDER_WAY_MS = 60_000

export type ClusterSource = {
  cluster: ClusterSettings
  objects: Objects
  /** The address of the accounts; null where they are in a file, which is not copied. */
  accountsUrl: string | null
}

/** `size`: that each named object is in the bucket with its size. `checksum`: also its bytes. */
export type ObjectCheck = 'none' | 'size' | 'checksum'

export type MadeBackup = { manifest: ClusterManifest; lacking: LackingObject[] }

/** Rejects with TargetTaken where the target exists, with DataError where an engine does not answer or the target's
 *  disk is full; nothing is left of it then. A backup is also made where objects are lacking. */
export async function makeClusterBackup(
  source: ClusterSource,
  target: string,
  { check, onProgress }: { check: ObjectCheck; onProgress: BackupProgress },
): Promise<MadeBackup> {
  return madeInFolder(target, async (partial) => {
    const manifest = await copyRows(source, partial, onProgress)
    const lacking = await lackingIn(source.objects, join(partial, OBJECTS_FILE), { check, onProgress, manifest })
    return { manifest, made: { manifest, lacking } }
  })
}

async function copyRows(
  { cluster, accountsUrl }: ClusterSource,
  partial: string,
  onProgress: BackupProgress,
): Promise<ClusterManifest> {
  const files: BackupFile[] = []
  const keep = async (path: string, rows: AsyncIterable<Uint8Array>, compressed: boolean) => {
    files.push({ path, ...(await writeRows(join(partial, path), rows, { compressed })) })
  }
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress('copying', done, done)
  }
  mkdirSync(join(partial, 'catalogue'), { mode: 0o700 })
  const { catalogue } = cluster
  const copy = await copyCatalogue(
    catalogue,
    (name, rows) =>
      name === null ? keep(OBJECTS_FILE, rows, false) : keep(pathOf({ of: 'catalogue', name }), rows, true),
    onBytes,
  )
  syncFolder(join(partial, 'catalogue'))
  const accounts = await copyAccountsInto(partial, accountsUrl, keep, onBytes)
  const { version, markets, marketDays: market_days, records } = copy
  const { bucket, prefix } = cluster.objects
  return {
    format: CLUSTER_FORMAT,
    kind: 'cluster',
    program: 'backbook',
    version: VERSION,
    created_at: new Date(copy.takenMs).toISOString(),
    catalogue: { version, schema: catalogue.schema, markets, market_days, records },
    objects: {
      place: `s3://${bucket}/${prefix}`,
      ...copy.objects,
      kept_until: new Date(copy.takenMs + GRACE_MS - UNDER_WAY_MS).toISOString(),
    },
    accounts: accountsUrl === null ? 'elsewhere' : accounts === null ? 'none' : 'postgresql',
    tables: [...tablesOf('catalogue', copy.tables), ...tablesOf('accounts', accounts ?? [])],
    files,
  }
}

type Keep = (path: string, rows: AsyncIterable<Uint8Array>, compressed: boolean) => Promise<void>

async function copyAccountsInto(
  partial: string,
  accountsUrl: string | null,
  keep: Keep,
  onBytes: (bytes: number) => void,
): Promise<CopiedTable[] | null> {
  if (accountsUrl === null) return null
  mkdirSync(join(partial, 'accounts'), { mode: 0o700 })
  const take = (name: string, rows: AsyncIterable<Uint8Array>) => keep(pathOf({ of: 'accounts', name }), rows, true)
  const copied = await copyAccounts(accountsUrl, take, onBytes)
  syncFolder(join(partial, 'accounts'))
  return copied
}

const tablesOf = (of: CopyTable['of'], tables: readonly CopiedTable[]): CopyTable[] =>
  tables.map(({ name, columns, rows }) => ({ of, name, columns, rows }))

type Checking = { check: ObjectCheck; onProgress: BackupProgress; manifest: ClusterManifest }

async function lackingIn(objects: Objects, list: string, { check, onProgress, manifest }: Checking) {
  if (check === 'none') return []
  const { count } = manifest.objects
  const onObject = (checked: number) => onProgress('verifying', checked, count)
  const lacking = await Array.fromAsync(lackingObjects(objects, listedObjects(list), onObject))
  if (check === 'size') return lacking
  const known = new Set(lacking.map(({ key }) => key))
  const damaged = await Array.fromAsync(damagedObjects(objects, listedObjects(list), onObject))
  return [...lacking, ...damaged.filter(({ key }) => !known.has(key))]
}
