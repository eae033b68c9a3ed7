// API keys in the database: creates, lists, rotates and revokes them, and finds them by the digest of their secret.

import { randomBytes } from 'node:crypto'
import type { SQL, TransactionSQL } from 'bun'
import type { Venue } from '../../../storage/venue.ts'
import type { AccountsDatabase } from '../sql/accounts-database.ts'
import { newSecret, secretDigestHex } from './key-secret.ts'
import { ensureUser, lockAccounts, nextRevision, putBasePlan } from './users.ts'

export type KeyTerms = {
  /** ISO 8601 in UTC; null if the key never expires. */
  expiresAt: string | null
  /** The venues that the key may read; null for all. */
  scopes: readonly Venue[] | null
}

export type NewKey = Partial<KeyTerms> & {
  userId: string
  name: string
  /** Becomes the user's plan, if given. */
  plan?: string | undefined
  /** The plan of a user created with this key; the default plan if omitted. */
  firstPlan?: string | undefined
}

/** A key that was just created or rotated. No other object holds the secret. */
export type CreatedKey = KeyTerms & { keyId: string; secret: string; userId: string; name: string; createdAt: string }

export type KeyStatus = 'active' | 'expired' | 'revoked'

/** A key as its owner sees it. */
export type KeyEntry = KeyTerms & {
  keyId: string
  userId: string
  name: string
  status: KeyStatus
  createdAt: string
  /** Null for a key that was never used. */
  lastUsedAt: string | null
}

/** A key as authentication needs it. `plan` is the user's plan. */
export type StoredKey = KeyTerms & {
  keyId: string
  userId: string
  plan: string
  secretSha256: string
  deletedAt: string | null
}

/** Creates a key, and its user if the user does not exist. */
export async function createKey(database: AccountsDatabase, key: NewKey, defaultPlan: string): Promise<CreatedKey> {
  const { userId, name, plan, firstPlan = defaultPlan, expiresAt = null, scopes = null } = key
  const secret = newSecret()
  const keyId = `key_${randomBytes(12).toString('hex')}`
  const createdAt = new Date().toISOString()
  await database.write(async (sql) => {
    await lockAccounts(sql)
    if (plan === undefined) await ensureUser(sql, userId, firstPlan)
    else await putBasePlan(sql, userId, plan)
    const revision = await nextRevision(sql)
    await sql`INSERT INTO api_keys (key_id, user_id, name, secret_sha256, created_at, expires_at, scopes, revision)
              VALUES (${keyId}, ${userId}, ${name}, ${secretDigestHex(secret)}, ${createdAt}, ${expiresAt},
                      ${scopes?.join(',') ?? null}, ${revision})`
  })
  return { keyId, secret, userId, name, createdAt, expiresAt, scopes }
}

export type OwnKey = { userId: string; keyId: string }

/** Revokes a key. Returns false if the user has no such key, or the key is already revoked. */
export function revokeKey(database: AccountsDatabase, key: OwnKey): Promise<boolean> {
  return database.write(async (sql) => {
    if (!(await lockOwnKey(sql, key))) return false
    await sql`UPDATE api_keys SET deleted_at = ${new Date().toISOString()}, revision = ${await nextRevision(sql)}
              WHERE key_id = ${key.keyId}`
    return true
  })
}

/** Gives the key a new secret and ends the old one. Returns undefined if the user has no such active key. */
export function rotateKey(database: AccountsDatabase, key: OwnKey): Promise<CreatedKey | undefined> {
  const secret = newSecret()
  return database.write(async (sql) => {
    const own = await lockOwnKey(sql, key)
    if (own?.status !== 'active') return undefined
    await sql`INSERT INTO ended_secrets (secret_sha256, key_id, ended_at)
              SELECT secret_sha256, key_id, ${new Date().toISOString()} FROM api_keys WHERE key_id = ${key.keyId}`
    await sql`UPDATE api_keys SET secret_sha256 = ${secretDigestHex(secret)}, revision = ${await nextRevision(sql)}
              WHERE key_id = ${key.keyId}`
    const { keyId, userId, name, createdAt, expiresAt, scopes } = own
    return { keyId, secret, userId, name, createdAt, expiresAt, scopes }
  })
}

async function lockOwnKey(sql: TransactionSQL, { userId, keyId }: OwnKey): Promise<KeyEntry | undefined> {
  await lockAccounts(sql)
  const key = await readKey(sql, keyId)
  return key?.userId === userId && key.status !== 'revoked' ? key : undefined
}

/** Returns a key, active or not. */
export async function readKey(
  sql: SQL | TransactionSQL,
  keyId: string,
  nowMs = Date.now(),
): Promise<KeyEntry | undefined> {
  const [row]: EntryRow[] = await sql`
    SELECT k.key_id AS "keyId", k.user_id AS "userId", name, created_at AS "createdAt", expires_at AS "expiresAt",
           scopes, deleted_at AS "deletedAt", last_used_at AS "lastUsedAt"
    FROM api_keys k LEFT JOIN key_uses u ON u.key_id = k.key_id WHERE k.key_id = ${keyId}`
  return row && toEntry(row, nowMs)
}

/** Returns the keys, oldest first. `total` counts all keys of the user, whatever their status. */
export async function listKeys(
  sql: SQL,
  { userId, offset, limit }: { userId: string; offset: number; limit: number },
  nowMs = Date.now(),
): Promise<{ keys: KeyEntry[]; total: number }> {
  const rows: EntryRow[] = await sql`
    SELECT k.key_id AS "keyId", k.user_id AS "userId", name, created_at AS "createdAt", expires_at AS "expiresAt",
           scopes, deleted_at AS "deletedAt", last_used_at AS "lastUsedAt"
    FROM api_keys k LEFT JOIN key_uses u ON u.key_id = k.key_id
    WHERE k.user_id = ${userId} ORDER BY k.created_at, k.key_id LIMIT ${limit} OFFSET ${offset}`
  const [count]: { total: number }[] = await sql`SELECT count(*) AS total FROM api_keys WHERE user_id = ${userId}`
  return { keys: rows.map((row) => toEntry(row, nowMs)), total: Number(count?.total) }
}

/** Finds a key by the SHA-256 of its secret, in hexadecimal. For a secret that a rotation has replaced, returns the key
 *  as deleted. */
export async function findKey(sql: SQL, secretSha256: string): Promise<StoredKey | undefined> {
  const [row]: KeyRow[] = await sql`
    SELECT k.key_id AS "keyId", k.user_id AS "userId", COALESCE(u.subscription_plan, u.plan) AS plan,
           k.secret_sha256 AS "secretSha256", expires_at AS "expiresAt", scopes, deleted_at AS "deletedAt"
    FROM api_keys k JOIN users u ON u.user_id = k.user_id WHERE k.secret_sha256 = ${secretSha256}
    UNION ALL
    SELECT k.key_id, k.user_id, u.plan, e.secret_sha256, k.expires_at, k.scopes, e.ended_at
    FROM ended_secrets e JOIN api_keys k ON k.key_id = e.key_id JOIN users u ON u.user_id = k.user_id
    WHERE e.secret_sha256 = ${secretSha256}`
  return row && withScopes(row)
}

/** Returns the keys that changed after a revision, including deleted ones; without a revision, all that are not
 *  deleted. */
export async function readKeysSince(sql: SQL, revision: number | undefined): Promise<StoredKey[]> {
  const rows: KeyRow[] = await sql`
    SELECT key_id AS "keyId", k.user_id AS "userId", COALESCE(u.subscription_plan, u.plan) AS plan,
           secret_sha256 AS "secretSha256", expires_at AS "expiresAt", scopes, deleted_at AS "deletedAt"
    FROM api_keys k JOIN users u ON u.user_id = k.user_id
    WHERE k.revision > ${revision ?? -1} AND (k.deleted_at IS NULL OR ${revision !== undefined})`
  return rows.map(withScopes)
}

type AsStored<Key extends KeyTerms> = Omit<Key, 'scopes'> & { scopes: string | null }
type KeyRow = AsStored<StoredKey>
type EntryRow = Omit<AsStored<KeyEntry>, 'status'> & { deletedAt: string | null }

const withScopes = <Row extends { scopes: string | null }>(row: Row) => ({
  ...row,
  scopes: row.scopes === null ? null : (row.scopes.split(',') as Venue[]),
})

function toEntry({ deletedAt, ...row }: EntryRow, nowMs: number): KeyEntry {
  const isExpired = row.expiresAt !== null && Date.parse(row.expiresAt) <= nowMs
  return { ...withScopes(row), status: deletedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active' }
}
