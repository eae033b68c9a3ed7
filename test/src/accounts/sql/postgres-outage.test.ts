// Goal: a PostgreSQL that stops answering, closes its connections or has none left causes a 503 if a request needs it,
// and no other failure. Known keys continue to work. Once it is back, every call is counted once. The test stops
// PostgreSQL's processes with signals, if they run on this machine.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { SQL } from 'bun'
import { makeEmptyPostgres, type ServedAccounts, serveAccounts } from '../../../support/accounts.ts'
import { event, signatureOf, subscription } from '../../../support/stripe.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
const STRIPE = { secretKey: 'sk_test_backbook', webhookSecret: 'whsec_test', apiUrl: 'http://127.0.0.1:1' }
const CALL = '/kalshi/market/list'
const make = async () => (await makeEmptyPostgres())!

/** Returns the server's processes, including the first one. Throws if they are on another machine. */
async function processesOf(url: string): Promise<number[]> {
  const sql = new SQL(url, { max: 1 })
  const [file]: { text: string }[] = await sql`SELECT pg_read_file('postmaster.pid') AS text`
  const rows: { pid: number }[] = await sql`
    SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  await sql.close()
  const pids = [Number(file!.text.split('\n')[0]), ...rows.map(({ pid }) => pid)]
  for (const pid of pids) {
    if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) throw new Error(`${pid} is no PostgreSQL`)
  }
  return pids
}

const json = async (served: ServedAccounts, path: string, init: RequestInit) => {
  const { status, body } = await served.ask(path, init)
  return { status, code: (body as { code?: string } | undefined)?.code }
}
const makeKey = (served: ServedAccounts, name: string) =>
  json(served, `/keys?user_id=ann&name=${name}`, { method: 'POST', headers: {} })
async function sendEvent(served: ServedAccounts, payload: string) {
  const headers = { 'stripe-signature': await signatureOf(payload) }
  return json(served, '/webhooks/stripe', { method: 'POST', headers, body: payload })
}
const AWAY = { status: 503, code: 'accounts_unavailable' }

/** Makes calls with a key until stopped. Returns how many got a 200. Throws for any other answer. */
function traffic(served: ServedAccounts, secret: string) {
  let isOn = true
  const calling = (async () => {
    let calls = 0
    for (; isOn; await Bun.sleep(10)) {
      expect((await served.call(secret, CALL)).status).toBe(200)
      calls++
    }
    return calls
  })()
  return async () => {
    isOn = false
    return calling
  }
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isReached()) return
    await Bun.sleep(100)
  }
  throw new Error('it did not come back')
}

const suite = () => {
  test('that is stopped and continues', async () => {
    await using served = await serveAccounts(make, { accounts: { stripe: STRIPE } })
    const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
    expect((await served.call(secret, CALL)).status).toBe(200)
    const pids = await processesOf(served.url)
    const end = traffic(served, secret)
    const payload = event('customer.subscription.updated', subscription(), 10)
    try {
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      const attempts = [makeKey(served, 'b'), sendEvent(served, payload)]
      expect(await Promise.all(attempts)).toEqual([AWAY, AWAY])
      const unknown = await served.call(`bb_${'x'.repeat(43)}`, CALL)
      expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '1'])
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await until(async () => (await makeKey(served, 'c')).status === 200)
    // The server may have stored an event without acknowledging it. Stripe sends it again, and it takes effect once.
    expect((await sendEvent(served, payload)).status).toBe(200)
    const calls = 1 + (await end())
    expect(await served.accounts.requestCount('ann')).toBe(calls)
  }, 60_000)

  test('that ends all connections, again and again', async () => {
    await using served = await serveAccounts(make)
    const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
    expect((await served.call(secret, CALL)).status).toBe(200)
    const end = traffic(served, secret)
    const admin = new SQL(POSTGRES!, { max: 1 })
    const database = new URL(served.url).pathname.slice(1)
    let made = 0
    for (let times = 0; times < 10; times++) {
      const attempts = Array.from({ length: 5 }, (_, n) => makeKey(served, `k${times}-${n}`))
      await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`
      for (const { status } of await Promise.all(attempts)) {
        expect([200, 503]).toContain(status)
        if (status === 200) made++
      }
      await Bun.sleep(50)
    }
    await admin.close()
    const calls = 1 + (await end())
    await until(async () => (await makeKey(served, 'last')).status === 200)
    const { total } = await served.accounts.listKeys({ userId: 'ann', offset: 0, limit: 1 })
    // The list has all acknowledged keys, and possibly keys whose creation could not be acknowledged.
    expect(total).toBeGreaterThanOrEqual(made + 2)
    expect(await served.accounts.requestCount('ann')).toBe(calls)
  }, 60_000)

  test('that has fewer connections than the server needs', async () => {
    const limited = async () => {
      const empty = await make()
      const role = `few_${crypto.randomUUID().replaceAll('-', '')}`
      const admin = new SQL(empty.url, { max: 1 })
      await admin.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 2`)
      await admin.unsafe(`GRANT ALL ON SCHEMA public TO ${role}`)
      const url = new URL(empty.url)
      Object.assign(url, { username: role, password: 'few' })
      return {
        url: url.href,
        async [Symbol.asyncDispose]() {
          await admin.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
          await admin.close()
          await empty[Symbol.asyncDispose]()
        },
      }
    }
    await using served = await serveAccounts(limited)
    const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
    expect((await served.call(secret, CALL)).status).toBe(200)
    const end = traffic(served, secret)
    const attempts = await Promise.all(Array.from({ length: 30 }, (_, n) => makeKey(served, `k${n}`)))
    for (const { status, code } of attempts) if (status !== 200) expect({ status, code }).toEqual(AWAY)
    const made = attempts.filter(({ status }) => status === 200).length
    const calls = 1 + (await end())
    await until(async () => (await makeKey(served, 'last')).status === 200)
    expect((await served.accounts.listKeys({ userId: 'ann', offset: 0, limit: 1 })).total).toBe(made + 2)
    expect(await served.accounts.requestCount('ann')).toBe(calls)
  }, 60_000)
}

if (POSTGRES) describe('a PostgreSQL', suite)
else describe.skip('a PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)
