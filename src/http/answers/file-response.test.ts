// Tests a file as a response: whole, in part, or not at all.

import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/server.ts'
import { headLengthOf } from '../server/head-length.ts'
import { sentBodyOf } from '../server/sent-body.ts'
import { bodilessFileResponse, fileResponse } from './file-response.ts'
import { ASK_AGAIN } from './freshness.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
const path = join(folder.path, 'file')
writeFileSync(path, '0123456789')
const FILE = { path, bytes: 10, sha256: 'ab', type: 'text/plain', freshness: ASK_AGAIN, name: 'a.txt' }
const request = (headers: Record<string, string>, method = 'GET') =>
  new Request('http://localhost/', { headers, method })

test.each([
  [{}, 200, '0123456789', null],
  [{ range: 'bytes=0-0' }, 206, '0', 'bytes 0-0/10'],
  [{ range: 'bytes=3-5' }, 206, '345', 'bytes 3-5/10'],
  [{ range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
  [{ range: 'bytes=-4' }, 206, '6789', 'bytes 6-9/10'],
  [{ range: 'bytes=0-1,4-5' }, 200, '0123456789', null],
  [{ range: 'bytes=3-5', 'if-range': '"ab"' }, 206, '345', 'bytes 3-5/10'],
  [{ range: 'bytes=3-5', 'if-range': '"cd"' }, 200, '0123456789', null],
])('%j is %d', async (headers, status, text, part) => {
  const sentRequest = request(headers as Record<string, string>)
  const response = fileResponse(sentRequest, FILE)
  expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([status, text, part])
  expect(sentBodyOf(sentRequest)).toMatchObject({ bytes: text.length, end: 'whole' })
  const names = ['etag', 'content-type', 'cache-control', 'accept-ranges', 'content-disposition', 'vary']
  expect(names.map((name) => response.headers.get(name))).toEqual([
    ...['"ab"', 'text/plain', 'private, no-cache', 'bytes', 'attachment; filename="a.txt"', 'authorization'],
  ])
})

test('a range past the end is refused with the length of the file', () => {
  expect(() => fileResponse(request({ range: 'bytes=10-' }), FILE)).toThrow(
    expect.objectContaining({
      code: 'range_not_satisfiable',
      message: 'The header Range must begin within the 10 bytes of the file, got "bytes=10-"',
      headers: { 'content-range': 'bytes */10' },
    }),
  )
})

test('a HEAD, and a client that has the file, need no bytes', () => {
  const head = request({}, 'HEAD')
  expect(bodilessFileResponse(head, FILE)).toMatchObject({ status: 200, body: null })
  expect(headLengthOf(head)).toBe(10)
  expect(bodilessFileResponse(request({ 'if-none-match': '"ab"' }), FILE)).toMatchObject({ status: 304 })
  expect(bodilessFileResponse(request({ 'if-none-match': '"cd"' }), FILE)).toBeUndefined()
})
