// The active keys in memory, so that a request costs no query. The view is at most a second old. A key that is not in
// it is looked up in the database, since another process may just have made it.

import { timingSafeEqual } from 'node:crypto'
import type { Venue } from '../../../storage/venue.ts'
import { CLOCKS, type Clocks } from '../sql/clocks.ts'
import { DIGEST_BYTES, digestSecret, isSecret } from './key-secret.ts'
import type { StoredKey } from './keys.ts'

export type ActiveKey = Readonly<{
  keyId: string
  /** Of the secret that it was authenticated with, in hexadecimal: a key that is rotated gets another. */
  secretSha256: string
  userId: string
  plan: string
  /** Null for all venues. */
  scopes: readonly Venue[] | null
}>
export type Authentication = { ok: true; key: ActiveKey } | { ok: false; reason: 'unknown' | 'revoked' | 'expired' }

/** An older view is not used. */
const VIEW_MS_MAX = 1_000
/** From this age on the view is read again beside the requests, so that none of them waits for it under load. */
const REFRESH_AHEAD_MS = 500

/** A database that takes longer is away. */
const ANSWER_MS_MAX = 1_000
/** While it is away, a known key waits for it at most once in this time. It is asked again meanwhile. */
const AWAY_MS = 5_000

/** Where the keys come from. */
export type KeySource = {
  revision(): Promise<number>
  /** Keys that changed after a revision, deleted ones included; without one, all active keys. */
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
  /** By the first bytes of the digest. A digest reveals nothing of its secret, so this search need not be constant. */
  readonly #entries = new Map<number, Entry[]>()
  readonly #digestOfKey = new Map<string, Uint8Array>()
  /** Of the secret that is being looked up. */
  readonly #digest = new Uint8Array(DIGEST_BYTES)
  #revision: number | undefined
  #checkedMs = Number.NEGATIVE_INFINITY
  #awayUntilMs = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined

  constructor(source: KeySource, clocks: Clocks = CLOCKS) {
    this.#source = source
    this.#clocks = clocks
  }

  /** Answers at once for a key of a fresh view. Rejects only where the database must be asked and does not answer. */
  authenticate(secret: string): Authentication | Promise<Authentication> {
    if (!isSecret(secret)) return UNKNOWN
    const digest = this.#digest
    digestSecret(secret, digest)
    const elapsedMs = this.#clocks.elapsedMs()
    const ageMs = elapsedMs - this.#checkedMs
    if (ageMs >= VIEW_MS_MAX && elapsedMs >= this.#awayUntilMs) return this.#lookUp(digest.slice())
    if (ageMs >= REFRESH_AHEAD_MS) void this.#refresh()
    return this.#inView(digest) ?? this.#lookUp(digest.slice())
  }

  /** Whether a key that was accepted before still is, with the secret that it had; true while the database is away. */
  async isActive({ secretSha256 }: Pick<ActiveKey, 'secretSha256'>): Promise<boolean> {
    const digest = bytesOf(secretSha256)
    const isKnown = () => this.#inView(digest)?.ok === true
    if (!this.#isStale() && isKnown()) return true
    const sinceMs = this.#clocks.elapsedMs()
    await this.#refresh()
    // One that was under way may have been asked before the key was made.
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
    if (this.#isStale() && this.#clocks.elapsedMs() >= this.#awayUntilMs) {
      await Promise.race([this.#refresh(), Bun.sleep(ANSWER_MS_MAX)])
      if (this.#isStale()) this.#awayUntilMs = this.#clocks.elapsedMs() + AWAY_MS
    }
    const known = this.#inView(digest)
    if (known) return known
    const stored = await this.#source.find(Buffer.from(digest).toString('hex'))
    if (stored === undefined) return UNKNOWN
    if (stored.deletedAt !== null) return REVOKED
    // Not kept: the next refresh adds it to the view, and only a refresh can see its end.
    return this.#answer(toEntry(stored))
  }

  #isStale(): boolean {
    return this.#clocks.elapsedMs() - this.#checkedMs >= VIEW_MS_MAX
  }

  /** While the database is away, known keys work on the last view, and it is asked again and again. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readChanges()
      .catch(() => undefined)
      .finally(() => {
        this.#refreshing = undefined
      })
    return this.#refreshing
  }

  async #readChanges(): Promise<void> {
    // The answer is as old as the question.
    const askedMs = this.#clocks.elapsedMs()
    const revision = await this.#source.revision()
    if (revision !== this.#revision) {
      for (const key of await this.#source.keysSince(this.#revision)) this.#put(key)
      this.#revision = revision
    }
    this.#checkedMs = askedMs
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

/** 32 bits, an integer to the engine. Of a million keys about a hundred pairs share a bucket. */
const bucketOf = (digest: Uint8Array) => digest[0]! | (digest[1]! << 8) | (digest[2]! << 16) | (digest[3]! << 24)

const bytesOf = (hexadecimal: string): Uint8Array => new Uint8Array(Buffer.from(hexadecimal, 'hex'))

const toEntry = ({ keyId, userId, plan, scopes, expiresAt, secretSha256 }: StoredKey): Entry => ({
  digest: bytesOf(secretSha256),
  accepted: { ok: true, key: { keyId, secretSha256, userId, plan, scopes } },
  expiresMs: expiresAt === null ? NEVER_MS : Date.parse(expiresAt),
})
