// Tests which callers may manage keys, as a table.

import { expect, test } from 'bun:test'
import { RequestFailure } from '../server/request-failure.ts'
import { assertMayManage, isLoopbackHost, isSameSecret, type ManagementAccess } from './management-access.ts'

const LOCAL: ManagementAccess = { adminToken: null, open: false }
const OPEN: ManagementAccess = { adminToken: null, open: true }
const GUARDED: ManagementAccess = { adminToken: 'the-admin-token', open: false }

function answerTo(access: ManagementAccess, address: string | null, headers: Record<string, string> = {}): string {
  try {
    assertMayManage(access, new Request('http://localhost/keys', { method: 'POST', headers }), address)
    return 'allowed'
  } catch (error) {
    return error instanceof RequestFailure ? error.code : String(error)
  }
}

test.each([
  ['127.0.0.1', {}, 'allowed'],
  ['127.8.9.10', {}, 'allowed'],
  ['::1', {}, 'allowed'],
  ['::ffff:127.0.0.1', {}, 'allowed'],
  ['127.0.0.1', { host: 'localhost:8080' }, 'allowed'],
  ['127.0.0.1', { host: '[::1]:8080', origin: 'http://localhost:3000' }, 'allowed'],
  ['192.168.0.7', {}, 'management_closed'],
  ['::ffff:10.0.0.1', {}, 'management_closed'],
  [null, {}, 'management_closed'],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 'management_closed'],
  ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, 'management_closed'],
  ['127.0.0.1', { 'x-real-ip': '127.0.0.1' }, 'management_closed'],
  ['127.0.0.1', { host: 'rebound.example' }, 'management_closed'],
  ['127.0.0.1', { origin: 'https://page.example' }, 'management_closed'],
  ['127.0.0.1', { origin: 'null' }, 'management_closed'],
  ['127.0.0.1', { 'sec-fetch-site': 'cross-site' }, 'management_closed'],
  ['127.0.0.1', { 'sec-fetch-site': 'none' }, 'allowed'],
])('without a token, %s with %p is %s', (address, headers, expected) =>
  expect(answerTo(LOCAL, address, headers)).toBe(expected),
)

test.each([
  ['127.0.0.1', {}, 'admin_token_missing'],
  ['192.168.0.7', {}, 'admin_token_missing'],
  ['127.0.0.1', { 'x-admin-token': 'wrong' }, 'admin_token_wrong'],
  ['127.0.0.1', { 'x-admin-token': '' }, 'admin_token_wrong'],
  ['192.168.0.7', { 'x-admin-token': 'the-admin-token' }, 'allowed'],
])('with a token, %s with %p is %s', (address, headers, expected) =>
  expect(answerTo(GUARDED, address, headers)).toBe(expected),
)

test('open management admits every caller', () => expect(answerTo(OPEN, '192.168.0.7')).toBe('allowed'))
test('a token counts in open management, too', () =>
  expect(answerTo({ ...GUARDED, open: true }, '127.0.0.1')).toBe('admin_token_missing'))

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['::', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
])('isLoopbackHost of %s is %p', (host, expected) => expect(isLoopbackHost(host)).toBe(expected))

test('isSameSecret compares secrets of any length', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  expect(isSameSecret('abc', 'abcd')).toBe(false)
})
