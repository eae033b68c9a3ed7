// The active keys in memory, so that the check of a request costs no query. The view is at most a second old; a key it
// does not hold is looked up in the database once, since another process may just have made it.

import { timingSafeEqual } from 'node:crypto'
import { isSecret, secretDigest } from './key-secret.ts'
import type { StoredKey } from './keys.ts'

export type ActiveKey = { keyId: string; userId: string; plan: string }
export type Authentication = { ok: true; key: ActiveKey } | { ok: false; reason: 'unknown' | 'revoked' }

const VIEW_MS_MAX = 1_000

/** Where the keys come from. */
export type KeySource = {
  revision(): Promise<number>
  activeKeys(): Promise<StoredKey[]>
  find(secretSha256: string): Promise<StoredKey | undefined>
}

type Entry = { digest: Buffer; key: ActiveKey }

export class KeyDirectory {
  readonly #source: KeySource
  readonly #nowMs: () => number
  #entries = new Map<string, Entry>()
  #revision: number | undefined
  #checkedMs = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined

  constructor(source: KeySource, nowMs: () => number = () => performance.now()) {
    this.#source = source
    this.#nowMs = nowMs
  }

  /** Rejects only where the database must be asked and does not answer. */
  authenticate(secret: string): Authentication | Promise<Authentication> {
    if (!isSecret(secret)) return { ok: false, reason: 'unknown' }
    const digest = secretDigest(secret)
    const isFresh = this.#nowMs() - this.#checkedMs < VIEW_MS_MAX
    return (isFresh ? this.#inView(digest) : undefined) ?? this.#lookUp(digest)
  }

  #inView(digest: Buffer): Authentication | undefined {
    const entry = this.#entries.get(digest.toString('hex'))
    return entry && timingSafeEqual(entry.digest, digest) ? { ok: true, key: entry.key } : undefined
  }

  async #lookUp(digest: Buffer): Promise<Authentication> {
    await this.#refresh()
    const known = this.#inView(digest)
    if (known) return known
    const stored = await this.#source.find(digest.toString('hex'))
    if (stored === undefined) return { ok: false, reason: 'unknown' }
    if (stored.deletedAt !== null) return { ok: false, reason: 'revoked' }
    // Not kept here: the view takes it up with its next refresh, and only that can know of its end.
    return { ok: true, key: toEntry(stored).key }
  }

  /** Known keys go on working on the last view while the database is away. */
  #refresh(): Promise<void> {
    if (this.#nowMs() - this.#checkedMs < VIEW_MS_MAX) return Promise.resolve()
    this.#refreshing ??= this.#readView()
      .catch(() => undefined)
      .finally(() => {
        this.#checkedMs = this.#nowMs()
        this.#refreshing = undefined
      })
    return this.#refreshing
  }

  async #readView(): Promise<void> {
    const revision = await this.#source.revision()
    if (revision === this.#revision) return
    const keys = await this.#source.activeKeys()
    this.#entries = new Map(keys.map((key) => [key.secretSha256, toEntry(key)]))
    this.#revision = revision
  }
}

const toEntry = ({ keyId, userId, plan, secretSha256 }: StoredKey): Entry => ({
  digest: Buffer.from(secretSha256, 'hex'),
  key: { keyId, userId, plan },
})
