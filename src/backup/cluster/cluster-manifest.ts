// The manifest of a backup of a cluster: the tables that are in it, and which objects of the bucket their rows name.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CATALOGUE_TABLES } from '../../../storage/cluster/postgres/copies/catalogue-copy.ts'
import { CATALOGUE_VERSION } from '../../../storage/cluster/postgres/schema.ts'
import { ACCOUNTS_TABLES } from '../../accounts/sql/accounts-copy.ts'
import { BackupError, MANIFEST_FILE, newerBackup, parseManifest } from '../manifest.ts'

/** Above that of a data folder's backup: a program that knows only those says that a newer one made it. */
export const CLUSTER_FORMAT = 2
export const OBJECTS_FILE = 'objects.tsv'

const count = Type.Integer({ minimum: 0 })

const table = Type.Object({
  of: Type.Union([Type.Literal('catalogue'), Type.Literal('accounts')]),
  name: Type.String(),
  /** In the order in which the file has them. */
  columns: Type.Array(Type.String()),
  rows: count,
})

const manifestSchema = Type.Object({
  format: Type.Literal(CLUSTER_FORMAT),
  kind: Type.Literal('cluster'),
  program: Type.Literal('backbook'),
  /** Of the program that made the backup. */
  version: Type.String(),
  created_at: Type.String(),
  catalogue: Type.Object({
    version: Type.Integer(),
    schema: Type.String(),
    markets: count,
    market_days: count,
    records: count,
  }),
  /** `place` is STORE_URL. Until `kept_until` a sweep with its usual grace removes none of them. */
  objects: Type.Object({ place: Type.String(), count, bytes: count, kept_until: Type.String() }),
  /** `elsewhere`: they are in a file, which is not in the backup. */
  accounts: Type.Union([Type.Literal('postgresql'), Type.Literal('none'), Type.Literal('elsewhere')]),
  tables: Type.Array(table),
  files: Type.Array(
    Type.Object({ path: Type.String(), bytes: count, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
})

export type ClusterManifest = Static<typeof manifestSchema>
export type CopyTable = ClusterManifest['tables'][number]

export const pathOf = ({ of, name }: Pick<CopyTable, 'of' | 'name'>): string => `${of}/${name}.copy.zst`

/** Throws BackupError where it is missing, cannot be understood, is of a data folder, or is of a newer program. */
export function readClusterManifest(backup: string): ClusterManifest {
  const manifest = parseManifest(backup) as { format?: unknown; kind?: unknown }
  if (manifest.kind === undefined && manifest.format === 1) {
    throw new BackupError(`${backup} is of a data folder: restore it into one, without STORE_URL, then push that`)
  }
  const { format } = manifest
  if (typeof format === 'number' && format > CLUSTER_FORMAT) throw newerBackup(backup, `format ${format}`)
  if (!Value.Check(manifestSchema, manifest)) {
    const place = Value.Errors(manifestSchema, manifest).First()?.path
    throw damaged(backup, `${place || 'it'} is not what a backup has there`)
  }
  if (manifest.catalogue.version > CATALOGUE_VERSION) {
    throw newerBackup(backup, `a catalogue of version ${manifest.catalogue.version}`)
  }
  assertWhole(backup, manifest)
  return manifest
}

/** A manifest is read before anything is known of who wrote it: it names exactly what makeClusterBackup makes. */
function assertWhole(backup: string, { accounts, tables, files }: ClusterManifest): void {
  const wanted = [
    ...CATALOGUE_TABLES.map((name) => pathOf({ of: 'catalogue', name })),
    ...(accounts === 'postgresql' ? ACCOUNTS_TABLES.map((name) => pathOf({ of: 'accounts', name })) : []),
  ]
  const paths = files.map(({ path }) => path)
  for (const [what, named, all] of [
    ['tables', tables.map(pathOf), wanted],
    ['files', paths, [...wanted, OBJECTS_FILE]],
  ] as const) {
    const missing = all.find((path) => !named.includes(path))
    if (missing !== undefined) throw damaged(backup, `its ${what} lack ${missing}`)
    const foreign = named.find((path, at) => !all.includes(path) || named.indexOf(path) !== at)
    if (foreign !== undefined) throw damaged(backup, `its ${what} name ${JSON.stringify(foreign)}, or name it twice`)
  }
}

const damaged = (backup: string, what: string) => new BackupError(`${backup}/${MANIFEST_FILE} is damaged: ${what}`)
