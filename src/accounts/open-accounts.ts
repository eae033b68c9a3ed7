// The accounts as the server and the command line use them: keys made, ended and checked.

import { join } from 'node:path'
import { openAccountsDatabase } from './accounts-database.ts'
import { type Authentication, KeyDirectory } from './key-directory.ts'
import { type CreatedKey, createKey, deleteKey, findKey, type NewKey, readActiveKeys, readRevision } from './keys.ts'

export type Accounts = {
  createKey(key: NewKey): Promise<CreatedKey>
  deleteKey(key: { userId: string; keyId: string }): Promise<boolean>
  authenticate(secret: string): Authentication | Promise<Authentication>
  /** Rejects when the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Without an address the accounts are a SQLite file in the data folder. */
export const accountsUrl = (configured: string | null, dataFolder: string) =>
  configured ?? `sqlite://${join(dataFolder, 'accounts.sqlite')}`

export async function openAccounts(url: string): Promise<Accounts> {
  const database = await openAccountsDatabase(url)
  const directory = new KeyDirectory({
    revision: () => readRevision(database.read),
    activeKeys: () => readActiveKeys(database.read),
    find: (secretSha256) => findKey(database.read, secretSha256),
  })
  return {
    createKey: (key) => createKey(database, key),
    deleteKey: (key) => deleteKey(database, key),
    authenticate: (secret) => directory.authenticate(secret),
    check: async () => void (await readRevision(database.read)),
    close: () => database.close(),
  }
}
