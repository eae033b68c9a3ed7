// Tests keys over HTTP, on both databases: made, listed, used, rotated, revoked; each only by its owner.

import { expect, test } from 'bun:test'
import { handClock, json, onEachDatabase, type ServedAccounts, serveAccounts } from '../../test/support/accounts.ts'
import { TICKER } from '../../test/support/server.ts'

const PATH = `/kalshi/market/date-range?ticker=${TICKER}`
type KeyData = { key_id: string; api_key: string; user_id: string; name: string; created_at: string }

async function make({ ask }: ServedAccounts, fields: object): Promise<KeyData> {
  const { status, body } = await ask('/api/v1/keys', json('POST', fields))
  expect(status).toBe(200)
  return (body as { data: KeyData }).data
}
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code]

onEachDatabase((database) => {
  test('a key is made, works, and is listed with its last use', async () => {
    await using served = await serveAccounts(database)
    const { key_id, api_key, created_at } = await make(served, { user_id: 'ann', name: 'laptop' })
    const never = { id: key_id, name: 'laptop', status: 'active', created_at, last_used_at: null }
    const list = async () => (await served.ask('/keys?user_id=ann')).body
    expect(await list()).toEqual({ user_id: 'ann', api_keys: [never], total: 1 })
    expect((await served.ask(`/keys/${key_id}/last-used`)).body).toEqual({ key_id, last_used_at: null })

    const before = new Date().toISOString()
    expect((await served.call(api_key, PATH)).status).toBe(200)
    const { last_used_at } = (await served.ask(`/keys/${key_id}/last-used`)).body as { last_used_at: string }
    expect(last_used_at >= before && last_used_at <= new Date().toISOString()).toBe(true)
    expect(await list()).toEqual({ user_id: 'ann', api_keys: [{ ...never, last_used_at }], total: 1 })
    expect((await served.ask(`/keys/${key_id}/name`)).body).toEqual({ key_id, name: 'laptop' })
    expect((await served.ask('/keys?user_id=nobody')).body).toEqual({ user_id: 'nobody', api_keys: [], total: 0 })
  })

  test('a revoked key ends; only its owner can revoke it, and only once', async () => {
    const clock = handClock()
    await using served = await serveAccounts(database, { accounts: clock })
    const { key_id, api_key } = await make(served, { user_id: 'ann', name: 'laptop' })
    const revoke = (user: string) => served.ask(`/keys/${key_id}?user_id=${user}`, { method: 'DELETE', headers: {} })
    expect(codeOf(await revoke('bob'))).toEqual([404, 'key_not_found'])
    expect((await served.call(api_key, PATH)).status).toBe(200)
    expect((await revoke('ann')).body).toEqual({
      success: true,
      message: `Key ${key_id} is revoked: it stops working within a second`,
    })
    expect(codeOf(await revoke('ann'))).toEqual([404, 'key_not_found'])
    clock.pass(1_000)
    expect(codeOf(await served.call(api_key, PATH))).toEqual([401, 'key_revoked'])
    expect((await served.ask('/keys?user_id=ann')).body).toMatchObject({ api_keys: [{ status: 'revoked' }], total: 1 })
  })

  test('a rotated key answers as a new one, and the old secret ends', async () => {
    const clock = handClock()
    await using served = await serveAccounts(database, { accounts: clock })
    const made = await make(served, { user_id: 'ann', name: 'laptop' })
    const rotate = (user: string) =>
      served.ask(`/keys/${made.key_id}/rotate?user_id=${user}`, { method: 'POST', headers: {} })
    expect(codeOf(await rotate('bob'))).toEqual([404, 'key_not_found'])
    const { body } = await rotate('ann')
    const { api_key } = (body as { data: KeyData }).data
    expect(body).toEqual({ success: true, data: { ...made, api_key } })
    expect((await served.call(api_key, PATH)).status).toBe(200)
    clock.pass(1_000)
    expect(codeOf(await served.call(made.api_key, PATH))).toEqual([401, 'key_revoked'])
    expect((await served.call(api_key, PATH)).status).toBe(200)
  })

  test('a key for one venue reads only that venue, and an expired key reads nothing', async () => {
    const clock = { nowMs: Date.now() }
    const nowMs = () => clock.nowMs
    await using served = await serveAccounts(database, { accounts: { nowMs }, nowMs })
    const soon = new Date(clock.nowMs + 700).toISOString()
    const made = await make(served, { user_id: 'ann', name: 'a', scopes: ['kalshi'], expires_at: soon })
    expect(made).toMatchObject({ scopes: ['kalshi'], expires_at: soon })
    expect((await served.call(made.api_key, PATH)).status).toBe(200)
    for (const path of ['/polymarket/market/list', '/api/v1/market/data', '/market/orderbook-summary']) {
      expect(codeOf(await served.call(made.api_key, path))).toEqual([403, 'scope_missing'])
    }
    clock.nowMs += 701
    expect(codeOf(await served.call(made.api_key, PATH))).toEqual([401, 'key_expired'])
    expect((await served.ask('/keys?user_id=ann')).body).toMatchObject({ api_keys: [{ status: 'expired' }] })
  })

  test('the list comes in pages', async () => {
    await using served = await serveAccounts(database)
    for (const name of ['a', 'b', 'c']) await make(served, { user_id: 'ann', name })
    const page = async (query: string) =>
      (await served.ask(`/keys?user_id=ann&${query}`)).body as { api_keys: { name: string }[]; total: number }
    const [first, second] = [await page('limit=2'), await page('limit=2&offset=2')]
    expect([first.total, first.api_keys.length, second.api_keys.length]).toEqual([3, 2, 1])
  })

  test('an unknown key', async () => {
    await using served = await serveAccounts(database)
    for (const path of ['/keys/key_x/name', '/keys/key_x/last-used']) {
      expect(codeOf(await served.ask(path))).toEqual([404, 'key_not_found'])
    }
  })
})
