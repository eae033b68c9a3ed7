// Tests tickets: a link works for a minute, only for its own path and query, and only on this server.

import { expect, test } from 'bun:test'
import { downloadTickets, hasTicket, processSecret, TICKET_MS } from './download-ticket.ts'

const KEY = { keyId: 'key_1', secretSha256: 'aa', userId: 'ann', plan: 'free', scopes: ['kalshi'] } as const
const TARGET = '/api/v1/kalshi/market/data?ticker=A&date=2026-08-10'

function made(fill = 7) {
  const clock = { nowMs: 1_000 }
  const tickets = downloadTickets(
    async () => new Uint8Array(32).fill(fill),
    () => clock.nowMs,
  )
  const keyOf = (url: string) => tickets.keyOf(new Request(`http://localhost${url}`))
  return { clock, keyOf, issue: (target: string) => tickets.issue(KEY, target) }
}

test.each([TARGET, '/files/a'])('a ticket for %s has its key until a minute is over', async (target) => {
  const { clock, issue, keyOf } = made()
  const { url, expiresMs } = await issue(target)
  expect([expiresMs, url.startsWith(`${target}${target === TARGET ? '&' : '?'}ticket=`)]).toEqual([61_000, true])
  expect(await keyOf(url)).toEqual(KEY)
  clock.nowMs += TICKET_MS - 1
  expect(await keyOf(url)).toEqual(KEY)
  clock.nowMs++
  await expect(keyOf(url)).rejects.toMatchObject({ code: 'ticket_invalid' })
})

test.each<[string, (url: string) => string]>([
  ['of another date', (url) => url.replace('08-10', '08-11')],
  ['of another path', (url) => url.replace('/data', '/book')],
  ['that is cut', (url) => url.slice(0, -1)],
  ['with another letter', (url) => `${url.slice(0, -10)}${url.at(-10) === 'A' ? 'B' : 'A'}${url.slice(-9)}`],
  ['with a parameter behind it', (url) => `${url}&limit=1`],
  ['without one', () => TARGET],
])('a ticket %s is refused', async (_, changed) => {
  const { issue, keyOf } = made()
  const refused = keyOf(changed((await issue(TARGET)).url))
  await expect(refused).rejects.toMatchObject({
    ...{ name: 'RequestFailure', code: 'ticket_invalid' },
    headers: { 'www-authenticate': 'Bearer realm="backbook"' },
  })
})

test('a ticket of a server with another secret is refused', async () => {
  const { url } = await made(7).issue(TARGET)
  await expect(made(8).keyOf(url)).rejects.toMatchObject({ code: 'ticket_invalid' })
})

test('a ticket with a later end than a server may set is refused', async () => {
  const { clock, issue, keyOf } = made()
  const { url } = await issue(TARGET)
  clock.nowMs--
  await expect(keyOf(url)).rejects.toMatchObject({ code: 'ticket_invalid' })
})

test('each process has a secret of its own', async () => {
  const [one, other] = await Promise.all([processSecret()(), processSecret()()])
  expect([one!.length, other!.length, Bun.deepEquals(one, other)]).toEqual([32, 32, false])
})

test('a request has a ticket if the ticket is the last parameter of its query', () => {
  const has = (path: string) => hasTicket(new Request(`http://localhost${path}`))
  expect(['/a?ticket=x', '/a?b=1&ticket=x_-9'].map(has)).toEqual([true, true])
  expect(['/a', '/a?ticket=', '/a?ticket=x&b=1', '/a?my-ticket=x', '/a?ticket=%20'].map(has)).toEqual([
    ...[false, false, false, false, false],
  ])
})
