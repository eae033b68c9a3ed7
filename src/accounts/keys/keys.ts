// API keys in the database: created, listed, found by the digest of their secret, given a new secret, ended by a mark.

import { randomBytes } from 'node:crypto'
import type { SQL, TransactionSQL } from 'bun'
import type { Venue } from '../../../storage/venue.ts'
import type { AccountsDatabase } from '../sql/accounts-database.ts'
import { newSecret, secretDigestHex } from './key-secret.ts'
import { ensureUser, lockAccounts, nextRevision, putBasePlan } from './users.ts'

export type KeyTerms = {
  /** ISO 8601 in UTC; null for never. */
  expiresAt: string | null
  /** The venues it reads; null for all. */
  scopes: readonly Venue[] | null
}

export type NewKey = Partial<KeyTerms> & {
  userId: string
  name: string
  /** Becomes the user's, where given. */
  plan?: string | undefined
  /** The plan of a user who begins with this key; the default plan without it. */
  firstPlan?: string | undefined
}

/** `secret` is given here and never again. */
export type CreatedKey = KeyTerms & { keyId: string; secret: string; userId: string; name: string; createdAt: string }

export type KeyStatus = 'active' | 'expired' | 'revoked'

/** A key as its owner sees it. */
export type KeyEntry = KeyTerms & {
  keyId: string
  userId: string
  name: string
  status: KeyStatus
  createdAt: string
  /** Null where it was never used. */
  lastUsedAt: string | null
}

/** A key as its check needs it. `plan` is the user's. */
export type StoredKey = KeyTerms & {
  keyId: string
  userId: string
  plan: string
  secretSha256: string
  deletedAt: string | null
}

/** Makes the user where there is none. */
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

/** False when the user has no such key that was not revoked yet. */
export function revokeKey(database: AccountsDatabase, key: OwnKey): Promise<boolean> {
  return database.write(async (sql) => {
    if (!(await lockOwnKey(sql, key))) return false
    await sql`UPDATE api_keys SET deleted_at = ${new Date().toISOString()}, revision = ${await nextRevision(sql)}
              WHERE key_id = ${key.keyId}`
    return true
  })
}

/** The key goes on with a new secret, the old one ends. Undefined when the user has no such active key. */
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

/** Active or not. */
export async function readKey(sql: SQL | TransactionSQL, keyId: string): Promise<KeyEntry | undefined> {
  const [row]: EntryRow[] = await sql`
    SELECT k.key_id, k.user_id, k.name, k.created_at, k.expires_at, k.scopes, k.deleted_at, u.last_used_at
    FROM api_keys k LEFT JOIN key_uses u ON u.key_id = k.key_id WHERE k.key_id = ${keyId}`
  return row && toEntry(row)
}

/** The oldest first. `total` counts all of the user's keys, whatever their status. */
export async function listKeys(
  sql: SQL,
  { userId, offset, limit }: { userId: string; offset: number; limit: number },
): Promise<{ keys: KeyEntry[]; total: number }> {
  const rows: EntryRow[] = await sql`
    SELECT k.key_id, k.user_id, k.name, k.created_at, k.expires_at, k.scopes, k.deleted_at, u.last_used_at
    FROM api_keys k LEFT JOIN key_uses u ON u.key_id = k.key_id
    WHERE k.user_id = ${userId} ORDER BY k.created_at, k.key_id LIMIT ${limit} OFFSET ${offset}`
  const [count]: { total: number }[] = await sql`SELECT count(*) AS total FROM api_keys WHERE user_id = ${userId}`
  return { keys: rows.map(toEntry), total: Number(count?.total) }
}

/** By the SHA-256 of its secret in hexadecimal. A secret that was rotated away finds its key as deleted. */
export async function findKey(sql: SQL, secretSha256: string): Promise<StoredKey | undefined> {
  const [row]: KeyRow[] = await sql`
    SELECT k.key_id, k.user_id, COALESCE(u.subscription_plan, u.plan) AS plan, k.secret_sha256, k.expires_at, k.scopes,
           k.deleted_at
    FROM api_keys k JOIN users u ON u.user_id = k.user_id WHERE k.secret_sha256 = ${secretSha256}
    UNION ALL
    SELECT k.key_id, k.user_id, u.plan, e.secret_sha256, k.expires_at, k.scopes, e.ended_at
    FROM ended_secrets e JOIN api_keys k ON k.key_id = e.key_id JOIN users u ON u.user_id = k.user_id
    WHERE e.secret_sha256 = ${secretSha256}`
  return row && toStoredKey(row)
}

/** The keys that changed after a revision, deleted ones among them; since none, all that are not deleted. */
export async function readKeysSince(sql: SQL, revision: number | undefined): Promise<StoredKey[]> {
  const rows: KeyRow[] = await sql`
    SELECT k.key_id, k.user_id, COALESCE(u.subscription_plan, u.plan) AS plan, k.secret_sha256, k.expires_at, k.scopes,
           k.deleted_at
    FROM api_keys k JOIN users u ON u.user_id = k.user_id
    WHERE k.revision > ${revision ?? -1} AND (k.deleted_at IS NULL OR ${revision !== undefined})`
  return rows.map(toStoredKey)
}

type TermsRow = { key_id: string; user_id: string; expires_at: string | null; scopes: string | null }
type KeyRow = TermsRow & { plan: string; secret_sha256: string; deleted_at: string | null }
type EntryRow = TermsRow & { name: string; created_at: string; deleted_at: string | null; last_used_at: string | null }

const toTerms = (row: TermsRow) => ({
  keyId: row.key_id,
  userId: row.user_id,
  expiresAt: row.expires_at,
  scopes: row.scopes === null ? null : (row.scopes.split(',') as Venue[]),
})

const toStoredKey = (row: KeyRow): StoredKey => ({
  ...toTerms(row),
  plan: row.plan,
  secretSha256: row.secret_sha256,
  deletedAt: row.deleted_at,
})

const toEntry = (row: EntryRow): KeyEntry => ({
  ...toTerms(row),
  name: row.name,
  status: statusOf(row),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

function statusOf({ deleted_at, expires_at }: EntryRow): KeyStatus {
  if (deleted_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}
