// Tests the lookup of Bearer keys. The database is in memory and counts its queries; the test sets the clocks.

import { expect, test } from 'bun:test'
import { KeyDirectory } from './key-directory.ts'
import { newSecret, secretDigestHex } from './key-secret.ts'
import type { StoredKey } from './keys.ts'

/** Returns a key directory over a database in memory. `state` has the queries that it got, and its clocks. */
function directoryOver(secrets: readonly string[]) {
  const stored = new Map<string, StoredKey & { revision: number }>()
  const state = { revision: 0, elapsedMs: 0, nowMs: 1e12, isAway: false, questions: [] as string[] }
  const put = (secret: string, changes: Partial<StoredKey> = {}) => {
    const secretSha256 = secretDigestHex(secret)
    const key = {
      keyId: secret,
      userId: 'u',
      plan: 'free',
      secretSha256,
      deletedAt: null,
      expiresAt: null,
      scopes: null,
    }
    state.revision += 1
    stored.set(secret, { ...key, ...stored.get(secret), ...changes, revision: state.revision })
  }
  const answer = async <T>(question: string, value: () => T): Promise<T> => {
    state.questions.push(question)
    if (state.isAway) throw new Error('away')
    return value()
  }
  for (const secret of secrets) put(secret)
  const directory = new KeyDirectory(
    {
      revision: () => answer('revision', () => state.revision),
      keysSince: (since) =>
        answer(`keys since ${since}`, () =>
          [...stored.values()].filter(({ revision, deletedAt }) =>
            since === undefined ? deletedAt === null : revision > since,
          ),
        ),
      find: (digest) => answer('find', () => [...stored.values()].find((key) => key.secretSha256 === digest)),
    },
    { elapsedMs: () => state.elapsedMs, nowMs: () => state.nowMs },
  )
  const isOk = async (secret: string) => (await directory.authenticate(secret)).ok
  return { directory, state, put, isOk, remove: (secret: string) => put(secret, { deletedAt: 'now' }) }
}

const [A, B] = [newSecret(), newSecret()]
const keyWith = (secret: string) => ({ secretSha256: secretDigestHex(secret) })

test('a known key needs no query for half a second, then one in the background', async () => {
  const { state, isOk, directory } = directoryOver([A])
  expect(await isOk(A)).toBe(true)
  expect(state.questions).toEqual(['revision', 'keys since undefined'])
  state.elapsedMs = 499
  expect(directory.authenticate(A)).toMatchObject({ ok: true })
  expect(state.questions).toHaveLength(2)
  state.elapsedMs = 999
  expect(directory.authenticate(A)).toMatchObject({ ok: true })
  expect(state.questions.slice(2)).toEqual(['revision'])
})

test('a view that is a second old is read again before it is used', async () => {
  const { state, isOk, directory, put } = directoryOver([A])
  await isOk(A)
  put(A, { plan: 'pro' })
  state.elapsedMs = 1_000
  expect(directory.authenticate(A)).toBeInstanceOf(Promise)
  expect(await directory.authenticate(A)).toMatchObject({ ok: true, key: { plan: 'pro' } })
  expect(state.questions.at(-1)).toBe('keys since 1')
})

test('a new key is found at once', async () => {
  const { state, put, isOk } = directoryOver([A])
  await isOk(A)
  put(B)
  expect(await isOk(B)).toBe(true)
  expect(state.questions.at(-1)).toBe('find')
})

test('a deleted key stops working within a second, and is then reported as revoked', async () => {
  const { directory, state, remove, isOk } = directoryOver([A])
  await isOk(A)
  remove(A)
  state.elapsedMs = 1_000
  expect(await directory.authenticate(A)).toEqual({ ok: false, reason: 'revoked' })
})

test('a key that was looked up and then deleted ends as well', async () => {
  const { state, put, remove, isOk } = directoryOver([A])
  await isOk(A)
  put(B)
  expect(await isOk(B)).toBe(true)
  remove(B)
  state.elapsedMs = 1_000
  expect(await isOk(B)).toBe(false)
})

test('a key with a new secret works only with the new secret', async () => {
  const { state, put, isOk } = directoryOver([A])
  await isOk(A)
  put(A, { secretSha256: secretDigestHex(B) })
  state.elapsedMs = 1_000
  expect([await isOk(A), await isOk(B)]).toEqual([false, true])
})

test('a key expires without a query', async () => {
  const { directory, state, put, isOk } = directoryOver([])
  put(A, { expiresAt: new Date(state.nowMs + 100).toISOString() })
  expect(await isOk(A)).toBe(true)
  const queryCount = state.questions.length
  state.nowMs += 100
  expect(directory.authenticate(A)).toEqual({ ok: false, reason: 'expired' })
  expect(state.questions).toHaveLength(queryCount)
})

test('a text that is not a secret causes no query', async () => {
  const { directory, state } = directoryOver([])
  expect(await directory.authenticate('hello')).toEqual({ ok: false, reason: 'unknown' })
  expect(state.questions).toEqual([])
})

test('while the database is away, known keys work, and unknown ones are a failure and not a refusal', async () => {
  const { directory, state, isOk } = directoryOver([A])
  await isOk(A)
  state.isAway = true
  state.elapsedMs = 5_000
  expect(await isOk(A)).toBe(true)
  const error = await Promise.resolve(directory.authenticate(B)).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(Error)
})

test('requests that come together share one reading', async () => {
  const { state, isOk } = directoryOver([A])
  await Promise.all([isOk(A), isOk(A), isOk(A)])
  expect(state.questions).toEqual(['revision', 'keys since undefined'])
})

test('a key that was accepted is active until it is revoked or expires; while the database is away, it stays so', async () => {
  const { directory, state, put, isOk, remove } = directoryOver([A, B])
  expect([await isOk(A), await directory.isActive(keyWith(A)), await directory.isActive(keyWith(B))]).toEqual([
    true,
    true,
    true,
  ])
  remove(A)
  put(B, { expiresAt: new Date(state.nowMs + 5_000).toISOString() })
  state.isAway = true
  state.elapsedMs = 1_000
  expect(await directory.isActive(keyWith(A))).toBe(true)
  state.isAway = false
  expect([await directory.isActive(keyWith(A)), await directory.isActive(keyWith(B))]).toEqual([false, true])
  state.nowMs += 5_000
  expect(await directory.isActive(keyWith(B))).toBe(false)
})

test('a key that was just made elsewhere is active, although the fresh view does not have it', async () => {
  const { directory, state, put, isOk } = directoryOver([A])
  expect(await isOk(A)).toBe(true)
  put(B)
  state.elapsedMs = 100
  expect([await isOk(B), await directory.isActive(keyWith(B))]).toEqual([true, true])
})

test('a rotated key is active only with its new secret', async () => {
  const { directory, state, put, isOk } = directoryOver([A])
  expect(await isOk(A)).toBe(true)
  put(A, keyWith(B))
  state.elapsedMs = 1_000
  expect([await directory.isActive(keyWith(A)), await directory.isActive(keyWith(B))]).toEqual([false, true])
})
