// Caches the active keys in memory, so that a request costs no query. The cache is at most one second old. A key that
// is not cached is looked up in the database, since another process may have just created it.

import { timingSafeEqual } from 'node:crypto'
import type { Venue } from '../../../storage/venue.ts'
import { CLOCKS, type Clocks } from '../sql/clocks.ts'
import { DIGEST_BYTES, digestSecret, isSecret } from './key-secret.ts'
import type { StoredKey } from './keys.ts'

export type ActiveKey = Readonly<{
  keyId: string
  /** SHA-256 of the secret that was used, in hexadecimal; rotating a key changes it. */
  secretSha256: string
  userId: string
  plan: string
  /** Null for all venues. */
  scopes: readonly Venue[] | null
}>
export type Authentication = { ok: true; key: ActiveKey } | { ok: false; reason: 'unknown' | 'revoked' | 'expired' }

/** Maximum age of the view (the cached keys). An older view is refreshed before use. */
const VIEW_MS_MAX = 1_000
/** From this age on the view is refreshed in the background, so that no request waits for it under load. */
const REFRESH_AHEAD_MS = 500

/** Longest wait for the database. A database that takes longer counts as unavailable. */
const ANSWER_MS_MAX = 1_000
/** For this long after a query has timed out, requests with known keys do not wait for the database. Refreshes
 *  continue in the background. */
const UNAVAILABLE_MS = 5_000

/** The source of the keys. */
export type KeySource = {
  revision(): Promise<number>
  /** Returns the keys that changed after a revision, including deleted ones; without a revision, all active keys. */
  keysSince(revision: number | undefined): Promise<StoredKey[]>
  find(secretSha256: string): Promise<StoredKey | undefined>
}

type Entry = { digest: Uint8Array; accepted: Authentication; expiresMs: number }

const UNKNOWN = Object.freeze({ ok: false, reason: 'unknown' } as const)
const REVOKED = Object.freeze({ ok: false, reason: 'revoked' } as const)
const EXPIRED = Object.freeze({ ok: false, reason: 'expired' } as const)

const NEVER_MS = Number.POSITIVE_INFINITY

export class KeyDirectory {
  readonly #source: KeySource
  readonly #clocks: Clocks
  /** Keyed by the first bytes of the digest. A digest reveals nothing of its secret, so this search need not take
   *  constant time. */
  readonly #entries = new Map<number, Entry[]>()
  readonly #digestOfKey = new Map<string, Uint8Array>()
  /** Digest of the secret that is being looked up. */
  readonly #digest = new Uint8Array(DIGEST_BYTES)
  #revision: number | undefined
  #checkedMs = Number.NEGATIVE_INFINITY
  #unavailableUntilMs = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined

  constructor(source: KeySource, clocks: Clocks = CLOCKS) {
    this.#source = source
    this.#clocks = clocks
  }

  /** Answers synchronously for a key in a fresh view. Rejects only if the database must be queried and does not answer.
   */
  authenticate(secret: string): Authentication | Promise<Authentication> {
    if (!isSecret(secret)) return UNKNOWN
    const digest = this.#digest
    digestSecret(secret, digest)
    const elapsedMs = this.#clocks.elapsedMs()
    const ageMs = elapsedMs - this.#checkedMs
    if (ageMs >= VIEW_MS_MAX && elapsedMs >= this.#unavailableUntilMs) return this.#lookUp(digest.slice())
    if (ageMs >= REFRESH_AHEAD_MS) void this.#refresh()
    return this.#inView(digest) ?? this.#lookUp(digest.slice())
  }

  /** Returns whether a key that was accepted is still active with the same secret; true while the database is
   *  unavailable. */
  async isActive({ secretSha256 }: Pick<ActiveKey, 'secretSha256'>): Promise<boolean> {
    const digest = bytesOf(secretSha256)
    const isKnown = () => this.#inView(digest)?.ok === true
    if (!this.#isStale() && isKnown()) return true
    const sinceMs = this.#clocks.elapsedMs()
    await this.#refresh()
    // Refresh again if the refresh was already running: it may have read the keys before this key was created.
    if (this.#checkedMs < sinceMs) await this.#refresh()
    return this.#checkedMs < sinceMs || isKnown()
  }

  #inView(digest: Uint8Array): Authentication | undefined {
    const bucket = this.#entries.get(bucketOf(digest))
    if (bucket === undefined) return undefined
    for (const entry of bucket) if (timingSafeEqual(entry.digest, digest)) return this.#answer(entry)
    return undefined
  }

  #answer({ accepted, expiresMs }: Entry): Authentication {
    return expiresMs === NEVER_MS || this.#clocks.nowMs() < expiresMs ? accepted : EXPIRED
  }

  async #lookUp(digest: Uint8Array): Promise<Authentication> {
    if (this.#isStale() && this.#clocks.elapsedMs() >= this.#unavailableUntilMs) {
      await Promise.race([this.#refresh(), Bun.sleep(ANSWER_MS_MAX)])
      if (this.#isStale()) this.#unavailableUntilMs = this.#clocks.elapsedMs() + UNAVAILABLE_MS
    }
    const known = this.#inView(digest)
    if (known) return known
    const stored = await this.#source.find(Buffer.from(digest).toString('hex'))
    if (stored === undefined) return UNKNOWN
    if (stored.deletedAt !== null) return REVOKED
    // Do not cache the key here: the next refresh adds it to the view. Only a refresh can notice the key's end.
    return this.#answer(toEntry(stored))
  }

  #isStale(): boolean {
    return this.#clocks.elapsedMs() - this.#checkedMs >= VIEW_MS_MAX
  }

  /** Reads the changes since the last refresh. While the database is unavailable, known keys work from the last view,
   *  and every refresh queries the database again. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readChanges()
      .catch(() => undefined)
      .finally(() => {
        this.#refreshing = undefined
      })
    return this.#refreshing
  }

  async #readChanges(): Promise<void> {
    // Take the time before the query, because the answer is as old as the query.
    const queriedMs = this.#clocks.elapsedMs()
    const revision = await this.#source.revision()
    if (revision !== this.#revision) {
      for (const key of await this.#source.keysSince(this.#revision)) this.#put(key)
      this.#revision = revision
    }
    this.#checkedMs = queriedMs
  }

  #put(stored: StoredKey): void {
    const before = this.#digestOfKey.get(stored.keyId)
    if (before) this.#remove(before)
    this.#digestOfKey.delete(stored.keyId)
    if (stored.deletedAt !== null) return
    const entry = toEntry(stored)
    this.#digestOfKey.set(stored.keyId, entry.digest)
    const bucket = this.#entries.get(bucketOf(entry.digest))
    if (bucket) bucket.push(entry)
    else this.#entries.set(bucketOf(entry.digest), [entry])
  }

  #remove(digest: Uint8Array): void {
    const left = this.#entries.get(bucketOf(digest))?.filter((each) => !timingSafeEqual(each.digest, digest)) ?? []
    if (left.length === 0) this.#entries.delete(bucketOf(digest))
    else this.#entries.set(bucketOf(digest), left)
  }
}

/** Returns the first 32 bits of a digest. The JavaScript engine stores such a number as a small integer. Among a
 *  million keys, about a hundred pairs share a bucket. */
const bucketOf = (digest: Uint8Array) => digest[0]! | (digest[1]! << 8) | (digest[2]! << 16) | (digest[3]! << 24)

const bytesOf = (hexadecimal: string): Uint8Array => new Uint8Array(Buffer.from(hexadecimal, 'hex'))

const toEntry = ({ keyId, userId, plan, scopes, expiresAt, secretSha256 }: StoredKey): Entry => ({
  digest: bytesOf(secretSha256),
  accepted: { ok: true, key: { keyId, secretSha256, userId, plan, scopes } },
  expiresMs: expiresAt === null ? NEVER_MS : Date.parse(expiresAt),
})
