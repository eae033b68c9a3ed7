// Every management endpoint is closed to clients on other machines, and open with the admin token. A refused request
// changes nothing.

import { expect, test } from 'bun:test'
import { json } from '../../support/accounts.ts'
import { ask, fakeAccounts, NO_TOKENS, testApp } from '../../support/server.ts'

const ENDPOINTS: [string, string][] = [
  ['POST', '/keys?user_id=a&name=b'],
  ['GET', '/keys?user_id=a'],
  ['DELETE', '/keys/key_1?user_id=a'],
  ['POST', '/keys/key_1/rotate?user_id=a'],
  ['GET', '/keys/key_1/last-used'],
  ['GET', '/keys/key_1/name'],
  ['POST', '/subscriptions/checkout'],
  ['POST', '/subscriptions/portal'],
  ['GET', '/subscriptions/status?user_id=a'],
  ['GET', '/usage?user_id=a'],
  ['GET', '/user/a/requests/count'],
  ['GET', '/user/a/requests/count/timeframe?start_time=1&end_time=2'],
  ['GET', '/user/a/requests/recent'],
  ['GET', '/stats'],
  ['GET', '/stats/popular-markets'],
]

/** Accounts that throw on every call. */
const untouchable = new Proxy(fakeAccounts, {
  get(accounts, name: keyof typeof fakeAccounts) {
    const value = accounts[name]
    if (typeof value !== 'function') return value
    return () => {
      throw new Error(`${name} was called`)
    }
  },
})
const CLOSED = { ...NO_TOKENS, adminToken: 'admin-token' }
const init = (method: string, headers: Record<string, string> = {}) =>
  method === 'POST' ? json(method, {}, headers) : { method, headers }

const elsewhere = testApp({ accounts: untouchable, clientAddress: () => '192.168.0.7' })
const here = testApp({ accounts: untouchable })
const closed = testApp({ accounts: untouchable, config: CLOSED })

test.each(ENDPOINTS)('%s %s', async (method, path) => {
  for (const each of [path, `/api/v1${path}`]) {
    const codeOf = async (app: typeof here, headers: Record<string, string> = {}) => {
      const { body } = await ask(app, each, init(method, headers))
      return (body as { code?: string }).code
    }
    expect(await codeOf(elsewhere)).toBe('management_closed')
    expect(await codeOf(here, { 'x-forwarded-for': '127.0.0.1' })).toBe('management_closed')
    expect(await codeOf(here, { origin: 'https://evil.example' })).toBe('management_closed')
    expect(await codeOf(closed)).toBe('admin_token_missing')
    expect(await codeOf(closed, { 'x-admin-token': 'guessed-it' })).toBe('admin_token_wrong')
    expect(await codeOf(closed, { 'x-admin-token': 'admin-token' })).not.toStartWith('admin_token')
  }
})
