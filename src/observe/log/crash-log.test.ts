// Tests the log of a process that ended by a bug.

import { expect, test } from 'bun:test'
import { join } from 'node:path'

const OBSERVE = join(import.meta.dir, '.')

test.each([
  ['an exception', 'setTimeout(() => { throw new Error("gone") }, 1)'],
  ['a rejection', 'setTimeout(() => { void Promise.reject(new Error("gone")) }, 1)'],
])('%s that is not caught is logged, with exit code 1', async (_, bug) => {
  const script = `
    import { createLog } from '${OBSERVE}/log.ts'
    import { logCrashes } from '${OBSERVE}/crash-log.ts'
    logCrashes(createLog({ format: 'json' }))
    ${bug}
    setTimeout(() => undefined, 5_000)`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' })
  expect(await child.exited).toBe(1)
  const [line, ...more] = (await child.stderr.text()).trimEnd().split('\n')
  expect(more).toEqual([])
  expect(JSON.parse(line!)).toMatchObject({ level: 'fatal', error: { message: 'gone' } })
})
