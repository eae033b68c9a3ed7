// Lines that could not be parsed are in a file of their capture. A later load of the capture replaces the file.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { RejectFile } from './reject-file.ts'

test('texts as they were, other bytes as base64', () => {
  using folder = temporaryFolder()
  const rejects = new RejectFile(folder.path, '/captures/a.ndjson')
  expect([rejects.isUsed, existsSync(rejects.path)]).toEqual([false, false])
  rejects.add(3, 'no JSON', Buffer.from('\uFEFFé{'))
  rejects.add(5, 'no UTF-8', Uint8Array.of(0xff, 0))
  rejects.close()
  rejects.close()
  const lines = readFileSync(rejects.path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { file: '/captures/a.ndjson', line: 3, reason: 'no JSON', text: '\uFEFFé{' },
    { file: '/captures/a.ndjson', line: 5, reason: 'no UTF-8', base64: '/wA=' },
  ])
  expect([rejects.isUsed, statSync(rejects.path).mode & 0o777]).toEqual([true, 0o600])
  expect(new RejectFile(folder.path, '/captures/a.ndjson').path).toBe(rejects.path)
  expect(existsSync(rejects.path)).toBe(false)
})

test('captures of one name in two folders have two files; a name is short and plain', () => {
  using folder = temporaryFolder()
  const pathOf = (capture: string) => new RejectFile(folder.path, capture).path
  expect(pathOf('/a/c.ndjson')).not.toBe(pathOf('/b/c.ndjson'))
  const odd = basename(pathOf(`/a/x\n\u2028${'é'.repeat(300)}`))
  expect(Buffer.byteLength(odd)).toBeLessThanOrEqual(255)
  expect(odd.startsWith('x__é')).toBe(true)
  expect(pathOf('/a/c')).toStartWith(join(folder.path, 'rejects', 'c-'))
})
