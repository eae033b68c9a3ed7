// Tests lines that C libraries write to stderr, in a process of their own.

import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')
/** `perror` writes to the C library's stderr, as LMDB does. */
const SCRIPT = `
  import { dlopen, ptr } from 'bun:ffi'
  import { createLog } from '${ROOT}/src/observe/log/log.ts'
  import { silenceLibraries } from '${ROOT}/src/observe/log/library-lines.ts'
  const { perror } = dlopen('libc.so.6', { perror: { args: ['ptr'], returns: 'void' } }).symbols
  const say = (text) => perror(ptr(Buffer.from(text + '\\0')))
  say('before')
  silenceLibraries()
  say('after')
  createLog({ format: 'json' }).info('ours')
  process.stderr.write('{"message":"plain"}\\n')
`

test.skipIf(process.platform !== 'linux')('libraries are silenced, and the log is not', () => {
  const { stderr, exitCode } = Bun.spawnSync([process.execPath, '-e', SCRIPT], { stdout: 'pipe', stderr: 'pipe' })
  const [before, ...lines] = stderr.toString().trim().split('\n')
  expect(before).toStartWith('before: ')
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['ours', 'plain'])
  expect(exitCode).toBe(0)
})
