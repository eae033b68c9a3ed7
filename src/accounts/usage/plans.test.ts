// Tests the built-in plans, and which documents of plans are accepted.

import { expect, test } from 'bun:test'
import { builtInPlans, planOf, readPlans } from './plans.ts'

const plan = (changes: object = {}) => ({ id: 'a', name: 'A', calls_per_month: 5, ...changes })

test('the built-in plans are those of the contract', () => {
  const plans = builtInPlans()
  const quotas = [...plans.byId.values()].map(({ id, callsPerMonth }) => [id, callsPerMonth])
  expect(quotas).toEqual([
    ['free', 10_000],
    ['starter', 1_000_000],
    ['pro', null],
  ] as typeof quotas)
  expect(plans.default.id).toBe('free')
})

test('reads a document; a burst defaults to one second of the rate', () => {
  const plans = readPlans({
    default: 'a',
    plans: [plan({ calls_per_second: 2.5, stripe_price_ids: ['price_1', 'price_0'] })],
  })
  expect(plans.default).toEqual({
    ...{ id: 'a', name: 'A', callsPerMonth: 5, callsPerSecond: 2.5, burst: 3, stripePriceIds: ['price_1', 'price_0'] },
  })
  expect(planOf(plans, 'gone')).toBe(plans.default)
})

test.each([
  [{ default: 'b', plans: [plan()] }, '/default must be one of a, got "b"'],
  [{ default: 'a', plans: [] }, '/plans'],
  [{ default: 'a', plans: [plan(), plan()] }, 'two plans have the same id'],
  [{ default: 'a', plans: [plan({ calls_per_month: -1 })] }, '/plans/0/calls_per_month'],
  [{ default: 'a', plans: [plan({ calls_per_month: 1.5 })] }, '/plans/0/calls_per_month'],
  [{ default: 'a', plans: [plan({ burst: 5 })] }, 'a has a burst'],
  [{ default: 'a', plans: [plan({ calls_per_second: 0 })] }, '/plans/0/calls_per_second'],
  [{ default: 'a', plans: [plan({ cals_per_second: 5 })] }, '/plans/0/cals_per_second'],
  [{ default: 'a', plans: [plan({ id: 'A B' })] }, '/plans/0/id'],
  [{ default: 'a', plans: [plan({ stripe_price_ids: ['p', 'p'] })] }, 'a price of Stripe is listed twice'],
  ['text', 'the document'],
])('%j is refused', (document, message) => expect(() => readPlans(document)).toThrow(message))
