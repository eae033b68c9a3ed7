// Only the program's user can read the files that it writes: digests of keys, actions of users, the secret of the
// cursors, rejected lines of captures, and backups of all that.

import { expect, setSystemTime, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SpillFile } from '../../workers/block/spill-file.ts'
import { RejectFile } from '../../workers/capture/reject-file.ts'
import { kalshiTrade } from '../model/lines.ts'
import { runInShell } from '../support/programs/program.ts'
import { serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

/** Returns paths under a folder that other users could reach and read, or write. */
function reachable(folder: string): string[] {
  if ((modeOf(folder) & 0o077) === 0) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return reachable(path)
    return (modeOf(path) & 0o077) === 0 ? [] : [path]
  })
}

const CAPTURE = `${JSON.stringify(kalshiTrade(0, 'a'))}\nno message\n`

test('other users reach nothing in a new data folder that was served, loaded and backed up', async () => {
  using folder = temporaryFolder()
  const inside = (name: string) => join(folder.path, name)
  await using served = await serveProcess(inside('data'))
  await fetch(`${served.url}/keys?user_id=ann&name=n`, { method: 'POST' })
  writeFileSync(inside('c.ndjson'), CAPTURE)
  const line = 'umask 022; backbook ingest --data data c.ndjson && backbook backup --data data backups/one'
  expect(await runInShell(line, folder.path)).toMatchObject({ exitCode: 0 })
  expect(existsSync(inside('data/rejects'))).toBe(true)
  expect([modeOf(inside('data')), modeOf(inside('backups/one'))]).toEqual([0o700, 0o700])
  // This also holds if the owner opens the folder to others, or copies its files into an open folder.
  chmodSync(inside('data'), 0o755)
  chmodSync(inside('backups/one'), 0o755)
  expect(reachable(inside('data'))).toEqual([])
  expect(reachable(inside('backups'))).toEqual([])
  for (const file of ['accounts.sqlite', 'store/data.mdb']) expect(modeOf(inside(`backups/one/${file}`))).toBe(0o600)
  expect(['', '-wal', '-shm'].map((end) => modeOf(inside(`data/accounts.sqlite${end}`)))).toEqual([0o600, 0o600, 0o600])

  await served.stop()
  const restore = 'umask 022; backbook restore backups/one --data again'
  expect(await runInShell(restore, folder.path)).toMatchObject({ exitCode: 0 })
  expect(modeOf(inside('again'))).toBe(0o700)
  chmodSync(inside('again'), 0o755)
  expect(reachable(inside('again'))).toEqual([])
})

test('in a folder that everybody may enter, only files without a secret are readable', async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  mkdirSync(data, { mode: 0o755 })
  await using served = await serveProcess(data)
  await fetch(`${served.url}/keys?user_id=ann&name=n`, { method: 'POST' })
  expect(reachable(data)).toEqual([])
})

test('the permissions that an owner set on the accounts file stay', async () => {
  using folder = temporaryFolder()
  const accounts = join(folder.path, 'accounts.sqlite')
  writeFileSync(accounts, '')
  chmodSync(accounts, 0o660)
  await using served = await serveProcess(folder.path)
  await fetch(`${served.url}/keys?user_id=ann&name=n`, { method: 'POST' })
  expect(modeOf(accounts)).toBe(0o660)
})

test('a link in the place of a file that the program writes is not followed', () => {
  using folder = temporaryFolder()
  const victim = join(folder.path, 'victim')
  writeFileSync(victim, 'as it was')
  const rejects = new RejectFile(folder.path, 'c.ndjson')
  mkdirSync(join(folder.path, 'rejects'))
  symlinkSync(victim, rejects.path)
  rejects.add(1, 'no message', new Uint8Array([65]))
  rejects.close()
  expect(readFileSync(rejects.path, 'utf8')).toContain('no message')

  const now = Date.now()
  setSystemTime(now)
  try {
    symlinkSync(victim, join(folder.path, `load-${process.pid}-0-${now}.tmp`))
    expect(() => new SpillFile(folder.path).write(new Uint8Array(9))).toThrow()
  } finally {
    setSystemTime()
  }
  expect(readFileSync(victim, 'utf8')).toBe('as it was')
})
