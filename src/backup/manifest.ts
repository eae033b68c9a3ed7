// The manifest of a backup: its content, and the checksum of each file. It is written last, so a folder without one is
// not a backup.

import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DATA_FILE, STORE_FOLDER, STORE_VERSION } from '../../storage/keep-store.ts'
import { ACCOUNTS_FILE } from '../accounts/open-accounts.ts'
import { CommandError, EXIT } from '../command-error.ts'

export const MANIFEST_FILE = 'manifest.json'
export const MANIFEST_FORMAT = 1
export const REJECTS_FOLDER = 'rejects'

const count = Type.Integer({ minimum: 0 })

const manifestSchema = Type.Object({
  format: Type.Literal(MANIFEST_FORMAT),
  program: Type.Literal('backbook'),
  /** Version of the program that made the backup. */
  version: Type.String(),
  created_at: Type.String(),
  store: Type.Object({
    format: Type.Integer(),
    /** LMDB's transaction number of the copy. The number grows with every change of the store. In a copy, LMDB turns
     *  an even number into the next odd one. */
    transaction: count,
    markets: count,
    market_days: count,
    records: count,
  }),
  accounts: Type.Union([Type.Literal('sqlite'), Type.Literal('postgresql'), Type.Literal('none')]),
  files: Type.Array(
    Type.Object({ path: Type.String(), bytes: count, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
  /** Entries of the data folder that were left out. */
  not_included: Type.Array(Type.String()),
})

export type Manifest = Static<typeof manifestSchema>
export type BackupFile = Manifest['files'][number]

/** Throws CommandError if the manifest is missing or invalid, or has the format of another program version. */
export function readManifest(backup: string): Manifest {
  const path = join(backup, MANIFEST_FILE)
  const manifest = parseManifest(backup)
  const { format } = manifest as { format?: unknown }
  if (typeof format === 'number' && format > MANIFEST_FORMAT) throw newerBackup(backup, `format ${format}`)
  if (!Value.Check(manifestSchema, manifest)) {
    const place = Value.Errors(manifestSchema, manifest).First()?.path
    throw new CommandError(`${path} is damaged: ${place || 'its content'} is invalid`, EXIT.failed)
  }
  if (manifest.store.format !== STORE_VERSION) {
    const found = `a store of format ${manifest.store.format}, and this program accepts format ${STORE_VERSION}`
    throw new CommandError(`${backup} has ${found}: restore it with the version that made it`, EXIT.failed)
  }
  const paths = new Set<string>()
  for (const { path: file } of manifest.files) {
    const fault = !isOurs(file) ? 'which a backup cannot contain' : paths.has(file) ? 'twice' : undefined
    if (fault !== undefined)
      throw new CommandError(`${path} is damaged: it names ${JSON.stringify(file)}, ${fault}`, EXIT.failed)
    paths.add(file)
  }
  return manifest
}

/** Throws CommandError if there is no manifest, or it is not JSON. */
function parseManifest(backup: string): object {
  const path = join(backup, MANIFEST_FILE)
  const found = lstatSync(path, { throwIfNoEntry: false })
  // A link would read a file from elsewhere, and a pipe would never end.
  if (found !== undefined && !found.isFile()) {
    throw new CommandError(`${backup} is damaged: ${MANIFEST_FILE} is a link, a folder or a special file`, EXIT.failed)
  }
  if (found === undefined) {
    throw new CommandError(
      `${backup} is not a backbook backup, or was not finished: it has no ${MANIFEST_FILE}`,
      EXIT.failed,
    )
  }
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandError(`${path} is damaged: it must be a JSON object`, EXIT.failed)
}

const newerBackup = (backup: string, what: string): CommandError =>
  new CommandError(`${backup} has ${what}: it was made by a newer backbook, restore it with that`, EXIT.failed)

/** Returns whether makeBackup writes a file with this path. Anyone may have written the manifest, and a restore
 *  writes to its paths in a data folder, so other paths must be refused. */
function isOurs(path: string): boolean {
  if (path === `${STORE_FOLDER}/${DATA_FILE}` || path === ACCOUNTS_FILE) return true
  const [folder, name, ...more] = path.split('/')
  return folder === REJECTS_FOLDER && more.length === 0 && /^[^\p{Cc}/]+$/u.test(name ?? '') && !/^\.\.?$/.test(name!)
}
