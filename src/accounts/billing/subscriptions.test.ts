// Tests subscriptions after events that come late, twice and in any order, and the plan that a user then has.

import { expect, test } from 'bun:test'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { readUserPlans } from '../keys/users.ts'
import {
  AmbiguousOrder,
  applySubscription,
  customerOf,
  readSubscription,
  rememberCustomer,
  rememberEvent,
  type Subscription,
  userOfCustomer,
} from './subscriptions.ts'

const ACTIVE: Subscription = {
  ...{ subscriptionId: 'sub_1', userId: 'ann', plan: 'starter', status: 'active' },
  ...{ createdAt: '2026-11-01T00:00:00.000Z', currentPeriodStart: null, currentPeriodEnd: null },
}

onEachDatabase((make) => {
  async function opened() {
    const empty = await openEmpty(make)
    const { database } = empty
    const apply = (eventCreated: number, changes: Partial<Subscription> = {}, isCurrent = false) =>
      database.write((sql) =>
        applySubscription(sql, { subscription: { ...ACTIVE, ...changes }, eventCreated, isCurrent }, 'free'),
      )
    const seen = async () => [
      (await readSubscription(database.read, 'ann'))?.status,
      (await readUserPlans(database.read, 'ann'))?.subscriptionPlan,
    ]
    return { database, apply, seen, [Symbol.asyncDispose]: () => empty[Symbol.asyncDispose]() }
  }

  test('the newest event counts, and its status decides whether the user has the plan', async () => {
    await using accounts = await opened()
    await accounts.apply(10)
    expect(await accounts.seen()).toEqual(['active', 'starter'])
    await accounts.apply(9, { plan: 'pro' })
    expect(await accounts.seen()).toEqual(['active', 'starter'])
    for (const [second, status, plan] of [
      [11, 'past_due', 'starter'],
      [12, 'unpaid', null],
      [13, 'trialing', 'starter'],
    ] as const) {
      await accounts.apply(second, { status })
      expect(await accounts.seen()).toEqual([status, plan])
    }
  })

  test('two events of one second are refused, unless one was just read from Stripe or is an end', async () => {
    await using accounts = await opened()
    await accounts.apply(10)
    await expect(accounts.apply(10, { status: 'unpaid' })).rejects.toThrow(
      new AmbiguousOrder('two events of subscription sub_1 in one second'),
    )
    await accounts.apply(10, { status: 'unpaid' }, true)
    expect(await accounts.seen()).toEqual(['unpaid', null])
    await accounts.apply(10, { status: 'canceled' })
    await accounts.apply(99, { status: 'active' })
    expect(await accounts.seen()).toEqual(['canceled', null])
  })

  test('shows the subscription that gives a plan, else the newest open one, else the newest', async () => {
    await using accounts = await opened()
    const older = { subscriptionId: 'sub_0', createdAt: '2026-10-01T00:00:00.000Z', plan: 'pro' }
    const newer = { subscriptionId: 'sub_2', createdAt: '2026-12-01T00:00:00.000Z' }
    await accounts.apply(1, older)
    await accounts.apply(1, { status: 'incomplete' })
    await accounts.apply(1, { ...newer, status: 'canceled' })
    expect(await accounts.seen()).toEqual(['active', 'pro'])
    await accounts.apply(2, { ...older, status: 'canceled' })
    expect(await accounts.seen()).toEqual(['incomplete', null])
    await accounts.apply(2, { status: 'incomplete_expired' })
    expect((await readSubscription(accounts.database.read, 'ann'))?.subscriptionId).toBe('sub_2')
    expect(await readSubscription(accounts.database.read, 'bob')).toBeUndefined()
  })

  test('a user keeps its first customer, and a customer its first user', async () => {
    await using accounts = await opened()
    const { database } = accounts
    const link = (userId: string, customerId: string) =>
      database.write((sql) => rememberCustomer(sql, { userId, customerId }, 'free'))
    await link('ann', 'cus_1')
    await link('ann', 'cus_2')
    await link('bob', 'cus_1')
    const customers = ['ann', 'bob', 'cid'].map((user) => customerOf(database.read, user))
    expect(await Promise.all(customers)).toEqual(['cus_1', null, null])
    const users = ['cus_1', 'cus_2'].map((customer) => userOfCustomer(database.read, customer))
    expect(await Promise.all(users)).toEqual(['ann', null])
  })

  test('an event is new only the first time', async () => {
    await using accounts = await opened()
    const remember = (id: string) => accounts.database.write((sql) => rememberEvent(sql, { id, type: 't' }))
    expect([await remember('evt_1'), await remember('evt_1'), await remember('evt_2')]).toEqual([true, false, true])
  })
})
