// Tests which files run in threads, where the binary finds them, and what a module must not do with its own path.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { platformOf } from './platform.ts'
import { withEmbeddedPaths, workerEntries } from './worker-entries.ts'

const PROJECT = join(import.meta.dir, '../..')
const check = (source: string, root = platformOf('linux', 'x64', false).root) =>
  withEmbeddedPaths(source, join(PROJECT, 'workers/pool/pool.ts'), { project: PROJECT, root })

test('every file of a thread is found in the sources', async () =>
  expect(await workerEntries(PROJECT)).toContain(join(PROJECT, 'workers/pool/answer-task.ts')))

test('every file of a thread exists', async () => {
  for (const path of await workerEntries(PROJECT))
    expect(`${path} ${await Bun.file(path).exists()}`).toBe(`${path} true`)
})

test.each([
  ["new URL('./tasks/a.ts', import.meta.url)", 'new URL("file:///$bunfs/root/workers/pool/tasks/a.js")'],
  ["new URL(\n  '../../src/a.ts',\n  import.meta.url,\n)", 'new URL("file:///$bunfs/root/src/a.js")'],
  ['if (import.meta.main) run()', 'if (import.meta.main) run()'],
])('%p is %p in the binary', (source, expected) => expect(check(source)).toBe(expected))

test('embedded files are in another folder on Windows', () =>
  expect(check("new URL('./a.ts', import.meta.url)", platformOf('win32', 'x64', false).root)).toBe(
    'new URL("file:///B:/~BUN/root/workers/pool/a.js")',
  ))

test.each([
  'Bun.file(import.meta.dir)',
  "new URL('./page.html', import.meta.url)",
  'new URL(name, import.meta.url)',
  "new Worker('./thread.ts')",
  "join(__dirname, 'x')",
])('%p fails the build, with file and line', (source) =>
  expect(() => check(`const a = 1\n${source}`)).toThrow('workers/pool/pool.ts:2: '),
)
