// Tests a file of a mirror: it exists already, is copied, or its copy is resumed.

import { afterEach, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { copyFile, isThere } from './copied-file.ts'
import { RemoteServer } from './remote-server.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

const TEXT = '0123456789'
const FILE = { bytes: 10, sha256: new Bun.CryptoHasher('sha256').update(TEXT).digest('hex'), rows: 1 }

type RangeHeaders = { range?: string; 'if-range'?: string }
function server(answer: (request: RangeHeaders, times: number) => Response = whole) {
  const requests: RangeHeaders[] = []
  const remote = new RemoteServer({
    ...{ url: 'http://host', key: null },
    fetch: async (_, { headers }) => {
      requests.push({ ...(headers['range'] && { range: headers['range'], 'if-range': headers['if-range']! }) })
      return answer(requests.at(-1)!, requests.length)
    },
  })
  return { remote, requests }
}
const whole = () => new Response(TEXT)
const rest = ({ range = '' }: RangeHeaders) => {
  const from = Number(/\d+/.exec(range)?.[0] ?? 0)
  return new Response(TEXT.slice(from), { status: 206, headers: { 'content-range': `bytes ${from}-9/10` } })
}

test('a file exists only with the right bytes', async () => {
  const path = join(folders.make(), 'a')
  expect(await isThere(path, FILE)).toBe(false)
  for (const [text, isThat] of [
    [TEXT, true],
    ['012345678x', false],
    ['012345678', false],
  ] as const) {
    writeFileSync(path, text)
    expect(await isThere(path, FILE)).toBe(isThat)
  }
})

test('a copy is in its place once it is whole, below folders that it makes', async () => {
  const path = join(folders.make(), 'x', 'y', 'a')
  expect(await copyFile(server().remote, '/a', path, FILE)).toBe(10)
  expect([readFileSync(path, 'utf8'), existsSync(`${path}.partial`)]).toEqual([TEXT, false])
})

test.each([
  ['the first bytes', '0123', rest, 6, [{ range: 'bytes=4-', 'if-range': `"${FILE.sha256}"` }]],
  ['all bytes', TEXT, rest, 0, []],
  [
    'the first bytes, and the server sends all',
    '0123',
    whole,
    10,
    [{ range: 'bytes=4-', 'if-range': `"${FILE.sha256}"` }],
  ],
  ['bytes of another file', 'xxxx', (request: RangeHeaders) => (request.range ? rest(request) : whole()), 16, [{}, {}]],
  ['too many bytes', `${TEXT}x`, whole, 10, [{}]],
] as const)('a copy with %s is resumed or starts over', async (_, partial, answer, sent, expectedRequests) => {
  const path = join(folders.make(), 'a')
  writeFileSync(`${path}.partial`, partial)
  const made = server(answer)
  expect(await copyFile(made.remote, '/a', path, FILE)).toBe(sent)
  expect(readFileSync(path, 'utf8')).toBe(TEXT)
  expect(made.requests.length).toBe(expectedRequests.length)
  if (expectedRequests.length === 1) expect(made.requests).toEqual([...expectedRequests])
})

test('a file that never matches its digest does not replace the old one', async () => {
  const path = join(folders.make(), 'a')
  writeFileSync(path, 'older')
  for (const text of ['012345678x', `${TEXT}${TEXT}`]) {
    const made = server(() => new Response(text))
    await expect(copyFile(made.remote, '/a', path, FILE)).rejects.toThrow('/a does not match its digest')
    expect(made.requests.length).toBe(2)
  }
  expect([readFileSync(path, 'utf8'), existsSync(`${path}.partial`)]).toEqual(['older', false])
})

test('reads at most one piece beyond the length of the file', async () => {
  const path = join(folders.make(), 'a')
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode('01234567')) }))
  const made = server((_, times) => (times === 1 ? endless() : whole()))
  expect(await copyFile(made.remote, '/a', path, FILE)).toBe(16 + 10)
})

test('bytes from before the connection broke stay for the next run', async () => {
  const path = join(folders.make(), 'a')
  let pieces = 0
  const broken = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          if (pieces++ === 0) controller.enqueue(new TextEncoder().encode('0123'))
          else controller.error(new Error('lost'))
        },
      }),
    )
  await expect(copyFile(server(broken).remote, '/a', path, FILE)).rejects.toThrow('a.partial is incomplete: lost')
  expect(readFileSync(`${path}.partial`, 'utf8')).toBe('0123')
  expect(await copyFile(server(rest).remote, '/a', path, FILE)).toBe(6)
})
