// `serve` is killed while it creates and revokes keys, receives webhooks and counts calls. Every acknowledged change is
// there when the accounts are opened again. Every other change is there completely or not at all.

import { join } from 'node:path'
import { type Accounts, openAccounts } from '../../../../src/accounts/open-accounts.ts'
import { loadPlans } from '../../../../src/accounts/usage/plans-file.ts'
import type { Random } from '../../../../workers/synthetic/random.ts'
import { tradeLines } from '../../../support/disk/data-folder.ts'
import { event, PRICES, signatureOf, subscription } from '../../../support/stripe.ts'
import type { Round } from '../../topic.ts'
import { runAndKill, startProgram } from './killed-program.ts'
import { stateOf } from './store-state.ts'

/** The data folder and accounts of the server, which each round uses as the last one left them. */
export type Served = { data: string; accountsUrl: string; plansFile: string }

const STRIPE = { secretKey: 'sk_test_backbook', webhookSecret: 'whsec_test', apiUrl: 'http://127.0.0.1:1' }
/** The server stores counted calls within a second; a busy machine may need half a second more. */
const COUNTED_AFTER_MS = 1_500
const LIVES_MS_MAX = 2_500
const TRADES = 2_000

export const PLANS = {
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: null },
    { id: 'starter', name: 'Starter', calls_per_month: null, stripe_price_ids: [PRICES.starter] },
    { id: 'pro', name: 'Pro', calls_per_month: null, stripe_price_ids: [PRICES.pro] },
  ],
}

type Key = { id: string; secret: string; revoked: 'no' | 'asked' | 'yes' }

/** What clients requested from the server, and what it acknowledged before it was killed. */
class Acknowledged {
  readonly keys: Key[] = []
  /** Events in the order in which they were sent, one at a time. The first `eventsTaken` of them are acknowledged. */
  readonly events: { payload: string; plan: string }[] = []
  eventsTaken = 0
  /** Whether the server was killed. */
  isOver = false
  callsSent = 0
  /** Time at which each call was answered. */
  readonly callMs: number[] = []
}

export async function killedServer({ random, tally, isSmoke }: Round, served: Served): Promise<void> {
  const { data, accountsUrl, plansFile } = served
  const user = `user of ${random.uint32()}`
  const env = {
    ACCOUNTS_URL: accountsUrl,
    PLANS_FILE: plansFile,
    WORKER_THREADS: '1',
    STRIPE_SECRET_KEY: STRIPE.secretKey,
    STRIPE_WEBHOOK_SECRET: STRIPE.webhookSecret,
    STRIPE_API_URL: STRIPE.apiUrl,
  }
  const { child, url } = await startServer(['serve', '--data', data, '--port', '0'], env)
  const seen = new Acknowledged()
  const clients = [makeKeys, revokeKeys, sendEvents, call, call].map((client) => client({ url, user, random, seen }))
  const load = random.chance(0.3) ? await loadBeside(data, random) : undefined
  // The smoke has only one round, so something must have been acknowledged in it.
  while (isSmoke && seen.keys.length === 0) await Bun.sleep(5)
  await Bun.sleep(random.fraction() * LIVES_MS_MAX)
  child.kill('SIGKILL')
  const killedMs = performance.now()
  await child.exited
  seen.isOver = true
  await Promise.all(clients)
  if (load !== undefined && (await load.child.exited) !== 0) throw new Error(`a load beside: ${await load.err}`)
  tally.add('kills of serve')
  if (load !== undefined) tally.add('loads that ended beside a server that was killed')

  const accounts = await openAccounts(accountsUrl, { plans: loadPlans(plansFile), stripe: STRIPE })
  try {
    await assertKeys(accounts, seen, user)
    await assertEvents(accounts, seen, user)
    await assertUsage(accounts, seen, { user, killedMs })
  } finally {
    await accounts.close()
  }
  tally.add('acknowledged keys that were there', seen.keys.length)
  tally.add('acknowledged events that were there', seen.eventsTaken)
  tally.add('calls that were answered', seen.callMs.length)
  await killedPlanChange({ random, served, user })
  tally.add('kills of plans set')
  await stateOf(data)
}

async function startServer(words: string[], env: Record<string, string>) {
  const { child, err } = startProgram(words, env)
  for await (const line of linesOf(child.stdout)) return { child, url: line.split(' ').at(-1)! }
  throw new Error(`the server did not start: ${await err}`)
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = ''
  for await (const bytes of stream) {
    text += new TextDecoder().decode(bytes)
    if (text.includes('\n')) yield text.slice(0, text.indexOf('\n'))
  }
}

async function loadBeside(data: string, random: Random) {
  const path = join(data, '..', 'beside.ndjson')
  await Bun.write(path, tradeLines(random.below(1e6) * TRADES, TRADES).join('\n'))
  return startProgram(['ingest', '--data', data, path])
}

type Client = { url: string; user: string; random: Random; seen: Acknowledged }

/** Sends requests until the server is gone. If `ask` returns null, there is nothing to send yet. Any status outside 200
 *  to 299 is a broken promise. */
async function untilKilled(
  { seen }: Client,
  ask: () => Promise<Response | null>,
  take: (body: unknown) => void,
): Promise<void> {
  while (!seen.isOver) {
    let text: string
    try {
      const response = await ask()
      if (response === null) {
        await Bun.sleep(5)
        continue
      }
      text = await response.text()
      if (!response.ok) throw new RangeError(`${response.status} ${text}`)
    } catch (error) {
      if (error instanceof RangeError) throw error
      return
    }
    take(JSON.parse(text))
  }
}

async function makeKeys(client: Client): Promise<void> {
  const { url, user, seen } = client
  const query = new URLSearchParams({ user_id: user, name: 'laptop' })
  await untilKilled(
    client,
    () => fetch(`${url}/keys?${query}`, { method: 'POST' }),
    (body) => {
      const { data } = body as { data: { key_id: string; api_key: string } }
      seen.keys.push({ id: data.key_id, secret: data.api_key, revoked: 'no' })
    },
  )
}

async function revokeKeys(client: Client): Promise<void> {
  const { url, user, seen } = client
  let key: Key | undefined
  await untilKilled(
    client,
    async () => {
      // The first key makes the calls, so it stays.
      key = seen.keys.findLast(({ revoked }, index) => index > 0 && revoked === 'no')
      if (key === undefined) return null
      key.revoked = 'asked'
      return fetch(`${url}/keys/${key.id}?${new URLSearchParams({ user_id: user })}`, { method: 'DELETE' })
    },
    () => {
      key!.revoked = 'yes'
    },
  )
}

async function sendEvents(client: Client): Promise<void> {
  const { url, user, seen } = client
  await untilKilled(
    client,
    async () => {
      const plan = seen.events.length % 2 === 0 ? ('starter' as const) : ('pro' as const)
      const object = { ...subscription({ id: `sub ${user}`, price: PRICES[plan], user }), customer: `cus ${user}` }
      const payload = event('customer.subscription.updated', object, 1_790_000_000 + seen.events.length)
      seen.events.push({ payload, plan })
      const headers = { 'stripe-signature': await signatureOf(payload) }
      return fetch(`${url}/webhooks/stripe`, { method: 'POST', headers, body: payload })
    },
    () => {
      seen.eventsTaken++
    },
  )
}

async function call(client: Client): Promise<void> {
  const { url, seen } = client
  await untilKilled(
    client,
    async () => {
      const [key] = seen.keys
      if (key === undefined) return null
      seen.callsSent++
      return fetch(`${url}/kalshi/market/list?limit=1`, { headers: { authorization: `Bearer ${key.secret}` } })
    },
    () => void seen.callMs.push(performance.now()),
  )
}

async function assertKeys(accounts: Accounts, { keys }: Acknowledged, user: string): Promise<void> {
  for (const { id, secret, revoked } of keys) {
    const { ok } = await accounts.authenticate(secret)
    if (!ok && revoked === 'no') throw new Error(`an acknowledged key is lost: ${id}`)
    if (ok && revoked === 'yes') throw new Error(`a key works that was revoked: ${id}`)
  }
  const { total } = await accounts.listKeys({ userId: user, offset: 0, limit: 1 })
  if (total < keys.length || total > keys.length + 1)
    throw new Error(`${keys.length} keys were made, ${total} are there`)
}

async function assertEvents(accounts: Accounts, { events, eventsTaken }: Acknowledged, user: string): Promise<void> {
  const { plans } = await accounts.billing!.status(user)
  const accepted = events.slice(Math.max(0, eventsTaken - 1), eventsTaken + 1).map(({ plan }) => plan)
  const found = plans?.subscriptionPlan
  if (eventsTaken > 0 && !accepted.includes(found ?? '')) throw new Error(`the plan ${found} is not ${accepted}`)
  // Stripe repeats events if it does not know whether they were received.
  for (const { payload } of events.slice(0, eventsTaken).slice(-3)) {
    const outcome = await accounts.billing!.receive(payload, await signatureOf(payload))
    if (outcome !== 'repeated') throw new Error(`an acknowledged event was forgotten: it is ${outcome}`)
  }
}

async function assertUsage(
  accounts: Accounts,
  { callsSent, callMs }: Acknowledged,
  { user, killedMs }: { user: string; killedMs: number },
): Promise<void> {
  const { calls } = await accounts.usage(user)
  const due = callMs.filter((answeredMs) => answeredMs < killedMs - COUNTED_AFTER_MS).length
  if (calls < due) throw new Error(`${calls} calls are counted, ${due} were answered long before`)
  if (calls > callsSent) throw new Error(`${calls} calls are counted, ${callsSent} were made`)
}

/** Kills a command that changes a plan. The plan must be the old or the new one, and the new one if the command
 *  ended. */
async function killedPlanChange({ random, served, user }: { random: Random; served: Served; user: string }) {
  const { data, accountsUrl, plansFile } = served
  const settings = ['--data', data, '--accounts-url', accountsUrl, '--plans-file', plansFile]
  const { isKilled } = await runAndKill(['plans', 'set', '--user', user, '--plan', 'pro', ...settings], random)
  const accounts = await openAccounts(accountsUrl, { plans: loadPlans(plansFile), stripe: STRIPE })
  const { plans } = await accounts.billing!.status(user)
  await accounts.close()
  if (!isKilled && plans?.basePlan !== 'pro') throw new Error('a plan that was set is lost')
  if (isKilled && !['free', 'pro', undefined].includes(plans?.basePlan)) throw new Error('a plan that nobody set')
}
