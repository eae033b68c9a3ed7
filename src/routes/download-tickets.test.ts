// Tests a link that works for a minute without a key, for one path. Its requests count for the key that made it.

import { expect, test } from 'bun:test'
import { AUTHORIZED, ask, fakeAccounts, NO_TOKENS, SECRET, TICKER, testApp } from '../../test/support/server.ts'
import { Meter } from '../accounts/usage/meter.ts'
import { builtInPlans } from '../accounts/usage/plans.ts'
import { downloadTickets } from '../http/access/download-ticket.ts'
import { secretRemover } from '../observe/log/without-secrets.ts'

const PATH = `/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`
const NO_KEY = { headers: {} }
type Ticket = { url: string; expires_at: string }

function served(changes: Parameters<typeof testApp>[0] = {}) {
  const clock = { ms: Date.UTC(2026, 7, 12, 12) }
  const app = testApp({ nowMs: () => clock.ms, ...changes })
  const post = (body: object, headers: Record<string, string> = AUTHORIZED, path = '/download-tickets') =>
    ask(app, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { app, clock, post }
}

test.each([PATH, '/kalshi/market/list', `/api/v1${PATH}`, '/search?q=a', '/kalshi/files?date=2026-08-10'])(
  '%s is open with a ticket for a minute',
  async (path) => {
    const { app, clock, post } = served()
    const { status, body } = await post({ path })
    const { url, expires_at } = body as Ticket
    expect([status, expires_at]).toEqual([200, '2026-08-12T12:01:00.000Z'])
    expect(url).toStartWith(`${path}${path.includes('?') ? '&' : '?'}ticket=`)
    expect([url.includes(SECRET), Buffer.from(url.split('=').at(-1)!, 'base64url').includes(SECRET)]).toEqual([
      ...[false, false],
    ])
    clock.ms += 59_999
    expect((await ask(app, url, NO_KEY)).status).toBe(200)
    expect((await ask(app, url, { ...NO_KEY, method: 'HEAD' })).status).toBe(200)
    clock.ms += 1
    expect((await ask(app, url, NO_KEY)).body).toMatchObject({ status: 401, code: 'ticket_invalid' })
  },
)

test('a ticket made with the secret of a backup is refused', async () => {
  const { app, clock } = served()
  const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'ann', plan: 'pro', scopes: null }
  const tickets = downloadTickets(
    async () => new Uint8Array(32).fill(7),
    () => clock.ms,
  )
  const { url } = await tickets.issue(key, PATH)
  expect((await ask(app, url, NO_KEY)).body).toMatchObject({ status: 401, code: 'ticket_invalid' })
})

test('a ticket works only for its own path and query', async () => {
  const { app, post } = served()
  const { url } = (await post({ path: PATH })).body as Ticket
  const refused = [
    url.replace('2026-08-10', '2026-08-11'),
    url.replace('/kalshi', '/api/v1/kalshi'),
    url.replace('&ticket', '&limit=1&ticket'),
    `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
    `${PATH}&ticket=abc`,
    `${PATH}&ticket=${'A'.repeat(60)}`,
    url.replace('/data?', '/data/?'),
  ]
  for (const path of refused) expect((await ask(app, path, NO_KEY)).body).toMatchObject({ code: 'ticket_invalid' })
  expect((await ask(app, `${url}&limit=1`, NO_KEY)).body).toMatchObject({ code: 'key_missing' })
  const local = testApp({ config: { ...NO_TOKENS, localAccessOpen: true } })
  expect((await ask(local, `${PATH}&ticket=abc`, NO_KEY)).body).toMatchObject({ code: 'ticket_invalid' })
})

test('with a key, a ticket is an unknown parameter', async () => {
  const { app, post } = served()
  const { url } = (await post({ path: PATH })).body as Ticket
  expect((await ask(app, url)).body).toMatchObject({ code: 'parameters_invalid', errors: [{ field: 'ticket' }] })
})

test('each use counts for its key, the ticket itself does not', async () => {
  const counted: unknown[] = []
  const meter = new Meter({
    plans: builtInPlans(),
    readCalls: async () => 0,
    record: ({ key, path, counts }) => counted.push([key.keyId, path, counts]),
  })
  const { app, post } = served({ accounts: { ...fakeAccounts, meter } })
  const { url } = (await post({ path: PATH })).body as Ticket
  const answers = [await ask(app, url, NO_KEY), await ask(app, url, NO_KEY)]
  expect(answers.map(({ headers }) => headers.get('ratelimit')?.includes('"month"'))).toEqual([true, true])
  expect(counted).toEqual(Array(2).fill(['key_1', '/kalshi/market/data', true]))
})

test.each([
  ['no key', {}, 'key_missing'],
  ['an unknown key', { authorization: `Bearer bb_${'x'.repeat(43)}` }, 'key_unknown'],
])('with %s no ticket is made', async (_, headers, code) =>
  expect((await served().post({ path: PATH }, headers)).body).toMatchObject({ status: 401, code }),
)

test('a key for one venue makes tickets that read no other', async () => {
  const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'free', scopes: ['polymarket'] as const }
  const { app, post } = served({ accounts: { ...fakeAccounts, authenticate: () => ({ ok: true, key }) } })
  const { url } = (await post({ path: PATH })).body as Ticket
  expect((await ask(app, url, NO_KEY)).body).toMatchObject({ status: 403, code: 'scope_missing' })
})

test.each([
  '',
  'kalshi/market/list',
  '/health',
  '/keys?user_id=ann',
  '/download-tickets',
  '//elsewhere.example/kalshi/market/list',
  'https://elsewhere.example/kalshi/market/list',
  '/kalshi/market/list#part',
  '/kalshi/market/list?ticket=abc',
  `/kalshi/market/list?prefix=${'A'.repeat(9_000)}`,
])('a ticket for %p is refused', async (path) => {
  const answer = await served().post({ path })
  expect(answer.body).toMatchObject({ status: 400, code: 'parameters_invalid', errors: [{ field: 'path' }] })
})

test.each([{}, { path: 5 }, { path: PATH, seconds: 9 }])('the body %p is refused', async (body) =>
  expect((await served().post(body)).body).toMatchObject({ status: 400, code: 'parameters_invalid' }),
)

test('a page of another origin may request a ticket if it may read data', async () => {
  const app = testApp({ config: { ...NO_TOKENS, corsOrigins: '*' } })
  const headers = { origin: 'https://charts.example', 'access-control-request-method': 'POST' }
  const answer = await ask(app, '/download-tickets', { method: 'OPTIONS', headers })
  expect(answer.headers.get('access-control-allow-methods')).toBe('POST')
  expect(answer.headers.get('access-control-allow-headers')).toInclude('content-type')
})

test('a log shows no ticket', async () => {
  const { url } = (await served().post({ path: PATH })).body as Ticket
  const shown = secretRemover([])(JSON.stringify({ path: url }))
  expect(shown).toBe(JSON.stringify({ path: `${PATH}&ticket=[secret]` }))
})
