// Tests numbers as people read them.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kalshiTrade } from '../../../test/model/lines.ts'
import { runInShell } from '../../../test/support/programs/program.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { counted } from './numbers.ts'

test.each([
  [0, 'file', '0 files'],
  [1, 'file', '1 file'],
  [2, 'market day', '2 market days'],
  [86_400, 'bucket', '86,400 buckets'],
])('%d of "%s" is "%s"', (count, what, expected) => expect(counted(count, what)).toBe(expected))

test('a count of one is written in the singular', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'c.ndjson'), `${JSON.stringify(kalshiTrade(0, 'a'))}\n`)
  const commands = ['ingest c.ndjson', 'verify', 'backup b', 'restore b --force'].map((each) => `backbook ${each}`)
  const { out, exitCode } = await runInShell(commands.join(' && '), folder.path)
  expect(exitCode).toBe(0)
  expect(out).toContain('1 record in 1 block of 1 market day read')
  expect(out).toMatch(/b: [0-9.]+ MB in 1 file, in .* s\n1 record in 1 market day of 1 market\n/)
  expect(out).toMatch(/ is in data: 1 record in 1 market day, in /)
}, 30_000)
