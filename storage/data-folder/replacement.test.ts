// Goal: the next process puts a committed replacement in place, from any state in which it was left; it never does so
// with one that was not committed.

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAccountsDatabase } from '../../src/accounts/sql/accounts-database.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { openStore } from '../open-store.ts'
import { beginReplacement, commitReplacement, finishReplacement, isReplacing } from './replacement.ts'

const PLAN = { aside: 'before', without: ['b-wal'] }

/** A folder with a, b and b-wal, and a new a and b that are complete but not in place. */
function staged(folder: string): string {
  for (const name of ['a', 'b', 'b-wal']) writeFileSync(join(folder, name), `old ${name}`)
  const { staged: path, path: entries } = beginReplacement(folder)
  for (const name of ['a', 'b']) writeFileSync(join(entries, name), `new ${name}`)
  return path
}

/** As `commitReplacement` leaves it when it is killed after its rename. */
function committed(folder: string): string {
  const path = join(folder, '.replacing')
  const draft = staged(folder)
  writeFileSync(join(draft, 'plan.json'), JSON.stringify(PLAN))
  renameSync(draft, path)
  return path
}

const contentOf = (folder: string) =>
  Object.fromEntries(
    [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })]
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

const REPLACED = { a: 'new a', b: 'new b', 'before/a': 'old a', 'before/b': 'old b', 'before/b-wal': 'old b-wal' }
const AS_IT_WAS = { a: 'old a', b: 'old b', 'b-wal': 'old b-wal' }

test('puts the new entries in place and the old ones aside', () => {
  using folder = temporaryFolder()
  commitReplacement(folder.path, staged(folder.path), PLAN)
  expect(contentOf(folder.path)).toEqual(REPLACED)
})

test('replaces nothing that is in use, and a process that opens the folder meanwhile can see the attempt', () => {
  using folder = temporaryFolder()
  const path = staged(folder.path)
  const assertFree = () => {
    expect(isReplacing(folder.path)).toBe(true)
    throw new Error('it is used')
  }
  expect(() => commitReplacement(folder.path, path, PLAN, assertFree)).toThrow('it is used')
  expect(isReplacing(folder.path)).toBe(false)
  expect(contentOf(folder.path)).toMatchObject(AS_IT_WAS)
})

test('does nothing before it is committed, and the next one removes what it had written', () => {
  using folder = temporaryFolder()
  staged(folder.path)
  finishReplacement(folder.path)
  expect(contentOf(folder.path)).toMatchObject(AS_IT_WAS)
  const { path } = beginReplacement(folder.path)
  expect(readdirSync(path)).toEqual([])
  expect(readdirSync(folder.path).filter((name) => name.startsWith('.')).length).toBe(1)
})

const steps: [string, (folder: string, at: string) => void][] = [
  ['right after the commit', () => undefined],
  ['after the first was moved aside', (folder) => aside(folder, 'b-wal')],
  ['after all were moved aside', (folder) => ['a', 'b', 'b-wal'].forEach((name) => void aside(folder, name))],
  ['after one was put in place', (folder, at) => place(folder, at, ['a'])],
  ['after all were put in place', (folder, at) => place(folder, at, ['a', 'b'])],
  ['while a process that has died had it in hand', (_, at) => writeFileSync(join(at, 'claimed-by'), '999999999')],
  [
    'before its claim was written, and the clock set back since',
    (_, at) => {
      writeFileSync(join(at, 'claimed-by'), '')
      const later = new Date(Date.now() + 3_600_000)
      utimesSync(join(at, 'claimed-by'), later, later)
    },
  ],
]

test.each(steps)('killed %s it is finished by the next', (_, kill) => {
  using folder = temporaryFolder()
  kill(folder.path, committed(folder.path))
  finishReplacement(folder.path)
  expect(contentOf(folder.path)).toEqual(REPLACED)
})

test('several that come at once finish it once', async () => {
  using folder = temporaryFolder()
  committed(folder.path)
  const script = `
    import { finishReplacement } from '${join(import.meta.dir, 'replacement.ts')}'
    finishReplacement(process.argv[1])
  `
  const spawn = () => Bun.spawn([process.execPath, '-e', script, folder.path], { stderr: 'inherit' }).exited
  expect(await Promise.all([spawn(), spawn(), spawn(), spawn()])).toEqual([0, 0, 0, 0])
  expect(contentOf(folder.path)).toEqual(REPLACED)
})

test.each([
  ['the store', async (folder: string) => openStore(folder).close()],
  [
    'the accounts',
    async (folder: string) => (await openAccountsDatabase(`sqlite://${join(folder, 'accounts.sqlite')}`)).close(),
  ],
])('opening %s finishes it', async (_, open) => {
  using folder = temporaryFolder()
  committed(folder.path)
  await open(folder.path)
  expect(contentOf(folder.path)).toMatchObject(REPLACED)
  expect(existsSync(join(folder.path, '.replacing'))).toBe(false)
})

function aside(folder: string, name: string): void {
  mkdirSync(join(folder, PLAN.aside), { recursive: true })
  renameSync(join(folder, name), join(folder, PLAN.aside, name))
}

function place(folder: string, at: string, names: string[]): void {
  for (const name of ['a', 'b', 'b-wal']) aside(folder, name)
  for (const name of names) renameSync(join(at, 'new', name), join(folder, name))
}
