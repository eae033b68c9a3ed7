// API keys in the database: created, found by the digest of their secret, ended by a mark.

import { randomBytes } from 'node:crypto'
import type { SQL, TransactionSQL } from 'bun'
import type { AccountsDatabase } from './accounts-database.ts'
import { newSecret, secretDigest } from './key-secret.ts'
import { DEFAULT_PLAN } from './plans.ts'

export type NewKey = { userId: string; name: string; plan?: string | undefined }

/** `secret` is given here and never again. */
export type CreatedKey = { keyId: string; secret: string; userId: string; name: string; createdAt: string }

export type StoredKey = {
  keyId: string
  userId: string
  name: string
  plan: string
  secretSha256: string
  deletedAt: string | null
}

/** Makes the user where there is none. A plan, where one is given, becomes the user's. */
export async function createKey(database: AccountsDatabase, { userId, name, plan }: NewKey): Promise<CreatedKey> {
  const secret = newSecret()
  const keyId = `key_${randomBytes(12).toString('hex')}`
  const createdAt = new Date().toISOString()
  const digest = secretDigest(secret).toString('hex')
  await database.write(async (sql) => {
    await sql`INSERT INTO users (user_id, plan, created_at) VALUES (${userId}, ${plan ?? DEFAULT_PLAN}, ${createdAt})
              ON CONFLICT (user_id) DO NOTHING`
    if (plan !== undefined) await sql`UPDATE users SET plan = ${plan} WHERE user_id = ${userId}`
    await sql`INSERT INTO api_keys (key_id, user_id, name, secret_sha256, created_at)
              VALUES (${keyId}, ${userId}, ${name}, ${digest}, ${createdAt})`
    await bumpRevision(sql)
  })
  return { keyId, secret, userId, name, createdAt }
}

/** False when the user has no such active key. */
export function deleteKey(database: AccountsDatabase, key: { userId: string; keyId: string }): Promise<boolean> {
  return database.write(async (sql) => {
    const deleted: unknown[] = await sql`
      UPDATE api_keys SET deleted_at = ${new Date().toISOString()}
      WHERE key_id = ${key.keyId} AND user_id = ${key.userId} AND deleted_at IS NULL RETURNING key_id`
    if (deleted.length > 0) await bumpRevision(sql)
    return deleted.length > 0
  })
}

/** Active or deleted, by the SHA-256 of its secret in hexadecimal. */
export async function findKey(sql: SQL, secretSha256: string): Promise<StoredKey | undefined> {
  const [row]: KeyRow[] = await sql`
    SELECT k.key_id, k.user_id, k.name, u.plan, k.secret_sha256, k.deleted_at
    FROM api_keys k JOIN users u ON u.user_id = k.user_id WHERE k.secret_sha256 = ${secretSha256}`
  return row && toStoredKey(row)
}

export async function readActiveKeys(sql: SQL): Promise<StoredKey[]> {
  const rows: KeyRow[] = await sql`
    SELECT k.key_id, k.user_id, k.name, u.plan, k.secret_sha256, k.deleted_at
    FROM api_keys k JOIN users u ON u.user_id = k.user_id WHERE k.deleted_at IS NULL`
  return rows.map(toStoredKey)
}

/** Changes with every change of keys or plans, in whatever process. */
export async function readRevision(sql: SQL): Promise<number> {
  const [row]: { revision: number }[] = await sql`SELECT revision FROM accounts_revision`
  return Number(row?.revision)
}

async function bumpRevision(sql: TransactionSQL): Promise<void> {
  await sql`UPDATE accounts_revision SET revision = revision + 1`
}

type KeyRow = {
  key_id: string
  user_id: string
  name: string
  plan: string
  secret_sha256: string
  deleted_at: string | null
}

const toStoredKey = (row: KeyRow): StoredKey => ({
  keyId: row.key_id,
  userId: row.user_id,
  name: row.name,
  plan: row.plan,
  secretSha256: row.secret_sha256,
  deletedAt: row.deleted_at,
})
