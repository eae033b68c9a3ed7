// The program distinguishes failures of the accounts' SQLite file from bugs. Known keys still work from memory, and
// requests that need the file get 503, within 4 s if the file is locked. When the file can be used again, everything
// continues without a restart.

import { dlopen } from 'bun:ffi'
import { expect, test } from 'bun:test'
import {
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { type ServedAccounts, serveAccounts } from '../../../test/support/accounts.ts'
import { ImpatientTimers } from '../../../test/support/impatient-timers.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { openAccounts } from '../open-accounts.ts'
import { AccountsUnavailable, ANSWER_MS_MAX } from './accounts-unavailable.ts'
import { openSqlite } from './sqlite-database.ts'

const CALL = '/kalshi/market/list'
const AWAY = '503 accounts_unavailable 1'

async function sqliteIn(): Promise<{ url: string; path: string } & AsyncDisposable> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'accounts.sqlite')
  return { path, url: `sqlite://${path}`, [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() }
}

/** Returns '200', or the status, code and Retry-After of a failure. */
async function resultOf(answer: ReturnType<ServedAccounts['ask']>): Promise<string> {
  const { status, body, headers } = await answer
  if (status === 200) return '200'
  return `${status} ${(body as { code: string }).code} ${headers.get('retry-after')}`
}

const requestsTo = (served: ServedAccounts) => ({
  'a key that was never seen': () => resultOf(served.call(`bb_${'x'.repeat(43)}`, CALL)),
  'a new key': () => resultOf(served.ask('/keys?user_id=bob&name=a', { method: 'POST', headers: {} })),
  'the keys of a user': () => resultOf(served.ask('/keys?user_id=ann')),
  'the usage of a user': () => resultOf(served.ask('/usage?user_id=ann')),
  'the sums of all': () => resultOf(served.ask('/stats')),
})

/** Replaces the open descriptors of the file `path` and of its WAL: each then reads the file that `of` returns.
 *  Returns a function that undoes this. */
function swapDescriptors(path: string, of: (path: string) => string): () => void {
  const { dup, dup2 } = dlopen('libc.so.6', {
    dup: { args: ['i32'], returns: 'i32' },
    dup2: { args: ['i32', 'i32'], returns: 'i32' },
  }).symbols
  const targetOf = (descriptor: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return ''
    }
  }
  const open = readdirSync('/proc/self/fd').filter((each) => [path, `${path}-wal`].includes(targetOf(each)))
  expect(open.length).toBeGreaterThanOrEqual(4)
  const swaps = open.map((each) => [Number(each), dup(Number(each)), openSync(of(targetOf(each)), 'r')] as const)
  for (const [descriptor, , other] of swaps) dup2(other, descriptor)
  return () => {
    for (const [descriptor, copy] of swaps) dup2(copy, descriptor)
  }
}
// The descriptors refer to a folder, so reads fail (EISDIR) and writes fail.
test.skipIf(process.platform !== 'linux')('accounts on a disk that fails', async () => {
  await using file = await sqliteIn()
  const { url, path } = file
  await using served = await serveAccounts(async () => ({ url, [Symbol.asyncDispose]: async () => undefined }))
  const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
  const call = () => resultOf(served.call(secret, CALL))
  expect(await call()).toBe('200')

  const undo = swapDescriptors(path, dirname)
  for (const [what, ask] of Object.entries(requestsTo(served))) expect([what, await ask()]).toEqual([what, AWAY])
  for (let calls = 0; calls < 5; calls++) expect(await call()).toBe('200')
  undo()

  for (const [what, ask] of Object.entries(requestsTo(served))) {
    expect([what, await ask()]).toEqual([what, what.includes('never seen') ? '401 key_unknown null' : '200'])
  }
  expect(await call()).toBe('200')
  expect(await served.accounts.requestCount('ann')).toBe(7)
  // Opening the file again finds the acknowledged data, and nothing else.
  const next = await openAccounts(url)
  expect((await next.listKeys({ userId: 'bob', offset: 0, limit: 9 })).total).toBe(1)
  await next.close()
})

test('accounts whose file is moved keep using it, and still work when it is back', async () => {
  await using file = await sqliteIn()
  const { url, path } = file
  await using served = await serveAccounts(async () => ({ url, [Symbol.asyncDispose]: async () => undefined }))
  const { 'a new key': make, 'the keys of a user': list } = requestsTo(served)
  for (const ending of ['', '-wal', '-shm']) renameSync(path + ending, `${path}${ending}.away`)
  expect([await make(), await list()]).toEqual(['200', '200'])
  for (const ending of ['', '-wal', '-shm']) renameSync(`${path}${ending}.away`, path + ending)
  const next = await openAccounts(url)
  expect((await next.listKeys({ userId: 'bob', offset: 0, limit: 9 })).total).toBe(1)
  await next.close()
})

test('while another process holds the lock, every write fails by one deadline, and reads work', async () => {
  await using file = await sqliteIn()
  const timers = new ImpatientTimers()
  const elapsedMs = () => timers.waited.reduce((sum, ms) => sum + ms, 0)
  const database = await openSqlite(file.path, { elapsedMs, timers })
  await database.write((sql) => sql`CREATE TABLE numbers (number INTEGER)`)
  const other = new SQL({ adapter: 'sqlite', filename: file.path })
  await other.unsafe('BEGIN IMMEDIATE')

  const add = () => database.write((sql) => sql`INSERT INTO numbers VALUES (1)`)
  const failures = await Promise.all([add, add, add, add, add].map((ask) => ask().catch((error: unknown) => error)))
  expect(failures.every((failure) => failure instanceof AccountsUnavailable)).toBe(true)
  expect(elapsedMs()).toBeGreaterThan(ANSWER_MS_MAX - 100)
  expect(elapsedMs()).toBeLessThanOrEqual(ANSWER_MS_MAX)
  expect(await database.read`SELECT * FROM numbers`).toHaveLength(0)

  await other.unsafe('COMMIT')
  await add()
  expect(await database.read`SELECT * FROM numbers`).toHaveLength(1)
  await other.close()
  await database.close()
})

// A mounted file system in use cannot be made read-only, so the test makes its files read-only.
test.skipIf(process.platform !== 'linux')(
  'accounts that can be read and not be written, and later be written',
  async () => {
    await using file = await sqliteIn()
    const { url, path } = file
    await using served = await serveAccounts(async () => ({ url, [Symbol.asyncDispose]: async () => undefined }))
    const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
    const { 'a key that was never seen': unknown, 'a new key': make, 'the keys of a user': list } = requestsTo(served)
    const undo = swapDescriptors(path, (same) => same)
    expect([await unknown(), await list(), await make()]).toEqual(['401 key_unknown null', '200', AWAY])
    for (let calls = 0; calls < 5; calls++) expect(await resultOf(served.call(secret, CALL))).toBe('200')
    expect(await list()).toBe(AWAY)
    undo()
    expect([await make(), await list()]).toEqual(['200', '200'])
    expect(await served.accounts.requestCount('ann')).toBe(5)
  },
)

test('overwritten accounts do not count as a bug either', async () => {
  await using file = await sqliteIn()
  const { url, path } = file
  await using served = await serveAccounts(async () => ({ url, [Symbol.asyncDispose]: async () => undefined }))
  const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
  expect(await resultOf(served.call(secret, CALL))).toBe('200')
  writeFileSync(path, new Uint8Array(readFileSync(path).length).fill(0x5a))
  truncateSync(`${path}-wal`)
  const { 'a key that was never seen': unknown, 'a new key': _, ...questions } = requestsTo(served)
  expect(await unknown()).toBe(AWAY)
  for (const [what, ask] of Object.entries(questions)) expect([what, await ask()]).toEqual([what, AWAY])
  expect(await resultOf(served.call(secret, CALL))).toBe('200')
})

const isRoot = process.getuid?.() === 0
const asOtherUser = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

test('removed permissions take effect at the next start', () => {
  const script = `
    import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import { openAccounts } from '${join(import.meta.dir, '../open-accounts.ts')}'
    const folder = mkdtempSync(join(tmpdir(), 'backbook-permissions-'))
    const path = join(folder, 'accounts.sqlite')
    const open = () => openAccounts('sqlite://' + path)
    const accounts = await open()
    for (const ending of ['', '-wal', '-shm']) chmodSync(path + ending, 0)
    const { secret } = await accounts.createKey({ userId: 'ann', name: 'a' })
    const { ok } = await accounts.authenticate(secret)
    const { total } = await accounts.listKeys({ userId: 'ann', offset: 0, limit: 9 })
    const refused = await open().catch(({ message }) => message.replace(folder, 'FOLDER'))
    await accounts.close()
    rmSync(folder, { recursive: true })
    console.log(JSON.stringify({ ok, total, refused }))`
  const { stdout, stderr } = Bun.spawnSync([...asOtherUser, process.execPath, '-e', script], { cwd: tmpdir() })
  expect(JSON.parse(stdout.toString() || stderr.toString())).toEqual({
    ok: true,
    total: 1,
    refused:
      'Cannot open the accounts in FOLDER/accounts.sqlite: this user may not write it, or it is on a read-only file system',
  })
})

test.each([
  ['garbage', (path: string) => writeFileSync(path, new Uint8Array(8_192).fill(0x5a)), 'file is not a database'],
  ['a folder', (path: string) => void mkdirSync(path), 'EISDIR'],
])('accounts that are %s at the start', async (_, make, why) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'accounts.sqlite')
  make(path)
  const opening = openAccounts(`sqlite://${path}`)
  expect(await opening.catch(({ message }: Error) => message)).toStartWith(
    `Cannot open the accounts in ${path}: ${why}`,
  )
})
