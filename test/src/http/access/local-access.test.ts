// Which clients need no key with LOCAL_ACCESS=open, and which still need one.

import { expect, test } from 'bun:test'
import { AUTHORIZED, ask, NO_TOKENS, TICKER, testApp } from '../../../support/server.ts'

const PATH = `/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`
const config = { ...NO_TOKENS, localAccessOpen: true }

const statusOf = async (address: string | null, headers: Record<string, string>, path = PATH) =>
  (await ask(testApp({ config, clientAddress: () => address }), path, { headers })).status

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s needs no key', async (address) => {
  expect(await statusOf(address, {})).toBe(200)
  expect(await statusOf(address, {}, `/api/v1${PATH}`)).toBe(200)
})

test.each([null, '10.0.0.7', '192.168.1.2', '::2'])('a client at %s needs a key', async (address) =>
  expect(await statusOf(address, {})).toBe(401),
)

test.each([
  ['x-forwarded-for', '127.0.0.1'],
  ['forwarded', 'for=127.0.0.1'],
  ['via', '1.1 proxy'],
  ['x-real-ip', '127.0.0.1'],
  ['cf-connecting-ip', '127.0.0.1'],
  ['origin', 'https://elsewhere.example'],
  ['sec-fetch-site', 'cross-site'],
  ['host', 'rebound.example'],
])('%s: %s marks a remote client, which needs a key', async (name, value) =>
  expect(await statusOf('127.0.0.1', { [name]: value })).toBe(401),
)

test('a client that sends a key must send a right one, and its calls count', async () => {
  expect(await statusOf('127.0.0.1', { authorization: `Bearer bb_${'x'.repeat(43)}` })).toBe(401)
  const answer = await ask(testApp({ config }), PATH, { headers: AUTHORIZED })
  expect([answer.status, answer.headers.has('ratelimit')]).toEqual([200, true])
})

test('calls without a key are not counted, and get no limit headers', async () => {
  const { status, headers } = await ask(testApp({ config }), PATH, { headers: {} })
  expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null])
})

test('parameters are checked as with a key', async () =>
  expect(await statusOf('127.0.0.1', {}, `${PATH}&nonsense=1`)).toBe(400))

test('access is off by default', async () => expect((await ask(testApp(), PATH, { headers: {} })).status).toBe(401))
