// A file that is being written appears only when it is complete.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/server.ts'
import { toFile, withOutput } from './output.ts'

test.each(['a.txt', 'a.txt.gz', 'a.txt.zst'])('%s appears only when it is complete', async (name) => {
  using folder = temporaryFolder()
  const path = join(folder.path, name)
  await withOutput(await toFile(path, false), async (output) => {
    await output.write('one')
    expect(readdirSync(folder.path)).not.toContain(name)
  })
  expect(readdirSync(folder.path)).toEqual([name])
})

test.each(['a.txt', 'a.txt.gz'])('a failure leaves nothing of the new %s, and keeps the old one', async (name) => {
  using folder = temporaryFolder()
  const path = join(folder.path, name)
  await Bun.write(path, 'before')
  const work = withOutput(await toFile(path, true), async (output) => {
    await output.write('one')
    throw new Error('damaged')
  })
  expect(await work.catch((error: Error) => error.message)).toBe('damaged')
  expect(readdirSync(folder.path)).toEqual([name])
  expect(await Bun.file(path).text()).toBe('before')
})
