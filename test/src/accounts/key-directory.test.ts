// The Bearer view of the keys, over a database in memory that counts its questions and a clock set by hand.

import { expect, test } from 'bun:test'
import { KeyDirectory } from '../../../src/accounts/key-directory.ts'
import { newSecret, secretDigest } from '../../../src/accounts/key-secret.ts'
import type { StoredKey } from '../../../src/accounts/keys.ts'

/** A database in memory that counts its questions, and a clock that is set by hand. */
function directoryOver(secrets: readonly string[]) {
  const stored = new Map<string, StoredKey>()
  const state = { revision: 1, nowMs: 0, isAway: false, questions: [] as string[] }
  const add = (secret: string) => {
    const secretSha256 = secretDigest(secret).toString('hex')
    stored.set(secretSha256, { keyId: secret, userId: 'u', name: 'n', plan: 'free', secretSha256, deletedAt: null })
    state.revision += 1
  }
  const remove = (secret: string) => {
    const key = stored.get(secretDigest(secret).toString('hex'))
    if (key) key.deletedAt = 'now'
    state.revision += 1
  }
  const answer = async <T>(question: string, value: () => T): Promise<T> => {
    state.questions.push(question)
    if (state.isAway) throw new Error('away')
    return value()
  }
  secrets.forEach(add)
  const directory = new KeyDirectory(
    {
      revision: () => answer('revision', () => state.revision),
      activeKeys: () => answer('keys', () => [...stored.values()].filter(({ deletedAt }) => deletedAt === null)),
      find: (digest) => answer('find', () => stored.get(digest)),
    },
    () => state.nowMs,
  )
  const isOk = async (secret: string) => (await directory.authenticate(secret)).ok
  return { directory, state, add, remove, isOk }
}

const [A, B] = [newSecret(), newSecret()]

test('a known key costs no question within a second, and one after it', async () => {
  const { state, isOk, directory } = directoryOver([A])
  expect(await isOk(A)).toBe(true)
  expect(state.questions).toEqual(['revision', 'keys'])
  state.nowMs = 999
  expect(directory.authenticate(A)).not.toBeInstanceOf(Promise)
  expect(state.questions).toHaveLength(2)
  state.nowMs = 1_000
  expect(await isOk(A)).toBe(true)
  expect(state.questions).toEqual(['revision', 'keys', 'revision'])
})

test('a new key is found at once', async () => {
  const { state, add, isOk } = directoryOver([A])
  await isOk(A)
  add(B)
  expect(await isOk(B)).toBe(true)
  expect(state.questions.at(-1)).toBe('find')
})

test('a deleted key ends within a second and is then told as revoked', async () => {
  const { directory, state, remove, isOk } = directoryOver([A])
  await isOk(A)
  remove(A)
  state.nowMs = 1_000
  expect(await directory.authenticate(A)).toEqual({ ok: false, reason: 'revoked' })
})

test('a key that was looked up and then deleted ends as well', async () => {
  const { state, add, remove, isOk } = directoryOver([A])
  await isOk(A)
  add(B)
  expect(await isOk(B)).toBe(true)
  remove(B)
  state.nowMs = 1_000
  expect(await isOk(B)).toBe(false)
})

test('what is no secret costs no question', async () => {
  const { directory, state } = directoryOver([])
  expect(await directory.authenticate('hello')).toEqual({ ok: false, reason: 'unknown' })
  expect(state.questions).toEqual([])
})

test('known keys go on while the database is away, unknown ones are a failure and not a refusal', async () => {
  const { directory, state, isOk } = directoryOver([A])
  await isOk(A)
  state.isAway = true
  state.nowMs = 5_000
  expect(await isOk(A)).toBe(true)
  const error = await Promise.resolve(directory.authenticate(B)).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(Error)
})

test('requests that come together share one refresh', async () => {
  const { state, isOk } = directoryOver([A])
  await Promise.all([isOk(A), isOk(A), isOk(A)])
  expect(state.questions).toEqual(['revision', 'keys'])
})
