// Tests POST /keys: every valid request, and every refusal.

import { expect, test } from 'bun:test'
import { ask, fakeAccounts, NO_TOKENS, SECRET, testApp } from '../../test/support/server.ts'
import type { NewKey } from '../accounts/keys/keys.ts'
import type { AppDependencies } from '../app.ts'

const RULE = '1 to 200 characters without control characters'
const USER_RULE = `${RULE}; not "." or "..", which cannot be used in the path /user/{user_id}`
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

async function post(
  path: string,
  init: RequestInit = { method: 'POST', headers: {} },
  changes: Partial<AppDependencies> = {},
) {
  const made: NewKey[] = []
  const createKey = (key: NewKey) => {
    made.push(key)
    return fakeAccounts.createKey(key)
  }
  const answer = await ask(testApp({ accounts: { ...fakeAccounts, createKey }, ...changes }), path, init)
  const { code, errors = [] } = answer.body as { code?: string; errors?: { field: string; message: string }[] }
  return { ...answer, code, errors: errors.map(({ field, message }) => `${field} ${message}`), made }
}

test.each([
  ['/keys', json({ user_id: 'ann', name: 'laptop' })],
  ['/api/v1/keys', json({ user_id: 'ann', name: 'laptop' })],
  ['/keys?user_id=ann&name=laptop', undefined],
  ['/keys?user_id=ann', json({ name: 'laptop' })],
  ['/keys?user_id=ann&name=laptop', json({})],
] as const)('%s makes a key: %#', async (path, init) => {
  const { status, body, made } = await post(path, init)
  expect(status).toBe(200)
  const created_at = '2026-08-10T00:00:00.000Z'
  expect(body).toEqual({
    success: true,
    data: { key_id: 'key_1', api_key: SECRET, user_id: 'ann', name: 'laptop', created_at },
  })
  expect(made).toEqual([{ userId: 'ann', name: 'laptop', expiresAt: null, scopes: null }])
})

test.each([
  ['/keys', undefined, [`user_id is required and must be ${USER_RULE}`, `name is required and must be ${RULE}`]],
  ['/keys?user_id=a', undefined, [`name is required and must be ${RULE}`]],
  ['/keys?user_id=a&name=', undefined, [`name must be ${RULE}, got ""`]],
  ['/keys?user_id=a&name=b%0Ac', undefined, [`name must be ${RULE}, got "b\\nc"`]],
  [
    '/keys?user_id=a&name=b&plan=pro',
    undefined,
    ['plan is not a parameter: this endpoint takes user_id, name, expires_at, scopes'],
  ],
  ['/keys?user_id=a&name=b&name=c', undefined, ['name must be given only once']],
  ['/keys?user_id=a&name=b', json({ name: 'b' }), ['name must be given in the query or in the body, not in both']],
  ['/keys', json({ user_id: 1, name: 'b' }), [`user_id must be ${USER_RULE}, got 1`]],
  ['/keys?user_id=.&name=b', undefined, [`user_id must be ${USER_RULE}, got "."`]],
  ['/keys', json({ user_id: '..', name: 'b' }), [`user_id must be ${USER_RULE}, got ".."`]],
  ['/keys', json({ user_id: 'a', name: ['b'] }), [`name must be ${RULE}, got ["b"]`]],
  ['/keys', json({ user_id: 'a', name: '\ud800' }), [`name must be ${RULE}, got "\\ud800"`]],
  [
    '/keys',
    json({ user_id: 'a', name: 'b', admin: true }),
    ['admin is not a parameter: this endpoint takes user_id, name, expires_at, scopes'],
  ],
] as const)('%s is refused: %#', async (path, init, errors) => {
  const answer = await post(path, init)
  expect([answer.status, answer.code, answer.errors]).toEqual([400, 'parameters_invalid', [...errors]])
  expect(answer.made).toEqual([])
})

const EXPIRY = 'must be a future time with its zone, such as 2027-01-31T00:00:00Z, before the year 10000 in UTC'
const SCOPES = 'must be polymarket or kalshi, or both with a comma between'

test.each([
  [{ expires_at: '2026-08-12T14:00:00+01:00' }, { expiresAt: '2026-08-12T13:00:00.000Z', scopes: null }],
  [{ expires_at: '9999-12-31T23:59:59.999Z' }, { expiresAt: '9999-12-31T23:59:59.999Z', scopes: null }],
  [{ scopes: ['kalshi'] }, { expiresAt: null, scopes: ['kalshi'] }],
  [{ scopes: 'polymarket' }, { expiresAt: null, scopes: ['polymarket'] }],
  [{ scopes: 'kalshi,polymarket' }, { expiresAt: null, scopes: null }],
])('a key made with %j', async (fields, terms) => {
  const { status, made } = await post('/keys', json({ user_id: 'ann', name: 'laptop', ...fields }))
  expect([status, made]).toEqual([200, [{ userId: 'ann', name: 'laptop', ...terms } as NewKey]])
})

test.each([
  [{ expires_at: '2026-08-12T12:00:00Z' }, `expires_at ${EXPIRY}, got "2026-08-12T12:00:00Z"`],
  [{ expires_at: '2027-01-31' }, `expires_at ${EXPIRY}, got "2027-01-31"`],
  [{ expires_at: '2027-01-31T00:00:00' }, `expires_at ${EXPIRY}, got "2027-01-31T00:00:00"`],
  [{ expires_at: '9999-12-31T23:59:59-12:00' }, `expires_at ${EXPIRY}, got "9999-12-31T23:59:59-12:00"`],
  [{ expires_at: 1_800_000_000 }, `expires_at ${EXPIRY}, got 1800000000`],
  [{ scopes: [] }, `scopes ${SCOPES}, got []`],
  [{ scopes: ['kalshi', 'all'] }, `scopes ${SCOPES}, got ["kalshi","all"]`],
  [{ scopes: 'Kalshi' }, `scopes ${SCOPES}, got "Kalshi"`],
])('a key is not made with %j', async (fields, error) => {
  const { status, errors, made } = await post('/keys', json({ user_id: 'ann', name: 'laptop', ...fields }))
  expect([status, errors, made]).toEqual([400, [error], []])
})

test.each(['...', '.a', 'a.', '. .', '%2e'])('%j is an id of a user, and works in a path', async (id) => {
  expect((await post('/keys', json({ user_id: id, name: '..' }))).status).toBe(200)
  const app = testApp({ accounts: { ...fakeAccounts, requestCount: async () => 0 } })
  const { status, body } = await ask(app, `/user/${encodeURIComponent(id)}/requests/count`, { headers: {} })
  expect([status, body]).toEqual([200, { user_id: id, total_requests: 0 }])
})

test('a name of 200 characters is taken, one of 201 is not', async () => {
  expect((await post('/keys', json({ user_id: 'é'.repeat(200), name: 'b' }))).status).toBe(200)
  expect((await post('/keys', json({ user_id: 'é'.repeat(201), name: 'b' }))).status).toBe(400)
})

test.each([
  ['not JSON', json('{'), 400, 'body_invalid'],
  ['a list', json('[1]'), 400, 'body_invalid'],
  ['a text', json('"a"'), 400, 'body_invalid'],
  ['null', json('null'), 400, 'body_invalid'],
  [
    'a form',
    { ...json('user_id=a&name=b'), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'body_type_unknown',
  ],
  ['plain text', { ...json('{"name":"b"}'), headers: { 'content-type': 'text/plain' } }, 415, 'body_type_unknown'],
  ['no type at all', { method: 'POST', body: new TextEncoder().encode('{}') }, 415, 'body_type_unknown'],
  ['too long', json({ name: 'x'.repeat(20_000) }), 413, 'body_too_large'],
] as const)('a body that is %s is refused', async (_, init, status, code) => {
  const answer = await post('/keys', { headers: {}, ...init })
  expect([answer.status, answer.code, answer.made]).toEqual([status, code, []])
})

test.each(['[]', '[1]', 'null', 'true', '1', '"a"'])('a query beside a body %s makes no key', async (body) => {
  const { status, code, made } = await post('/keys?user_id=ann&name=laptop', json(body))
  expect([status, code, made]).toEqual([400, 'body_invalid', []])
})

test.each([
  ['a client elsewhere', { clientAddress: () => '192.168.0.7' }, {}, 403, 'management_closed'],
  ['a client behind a proxy', {}, { 'x-forwarded-for': '1.2.3.4' }, 403, 'management_closed'],
  ['no token', { config: { ...NO_TOKENS, adminToken: 'admin-token' } }, {}, 401, 'admin_token_missing'],
  [
    'a wrong token',
    { config: { ...NO_TOKENS, adminToken: 'admin-token', managementOpen: true } },
    { 'x-admin-token': 'other' },
    403,
    'admin_token_wrong',
  ],
])('%s makes no key, with a body or without', async (_, changes, headers, status, code) => {
  const path = '/keys?user_id=a&name=b'
  for (const init of [{ method: 'POST' }, json({})]) {
    const answer = await post(path, { ...init, headers: { ...headers, 'content-type': 'application/json' } }, changes)
    expect([answer.status, answer.code, answer.made]).toEqual([status, code, []])
  }
})

test('the admin token lets clients elsewhere in', async () => {
  const config = { ...NO_TOKENS, adminToken: 'admin-token' }
  const init = { method: 'POST', headers: { 'x-admin-token': 'admin-token' } }
  const { status } = await post('/keys?user_id=a&name=b', init, { config, clientAddress: () => '192.168.0.7' })
  expect(status).toBe(200)
})
