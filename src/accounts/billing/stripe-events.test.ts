// An object counts as an event, a session or a subscription only if it has the fields that the program reads.

import { expect, test } from 'bun:test'
import { isEvent, isSession, isSubscription } from './stripe-events.ts'

const EVENT = { id: 'evt', type: 'invoice.paid', created: 5, data: { object: {} }, livemode: false }
const SUBSCRIPTION = {
  ...{ id: 'sub', customer: 'cus', status: 'active', created: 5, metadata: {} },
  items: { data: [{ price: { id: 'price' }, current_period_end: 9 }] },
}

test('an event', () => {
  expect(isEvent(EVENT)).toBe(true)
  const { data: _, ...bare } = EVENT
  expect([bare, { ...EVENT, created: 'x' }, { ...EVENT, created: -1 }, null].some(isEvent)).toBe(false)
})

test('a session with or without a customer', () => {
  expect(
    [{ mode: 'payment' }, { mode: 'a', customer: null }, { mode: 'a', customer: { id: 'c' } }].every(isSession),
  ).toBe(true)
  expect([{}, { mode: 'a', customer: 5 }, { mode: 'a', metadata: { x: 1 } }].some(isSession)).toBe(false)
})

test('a subscription with its period on itself or on its items', () => {
  expect([SUBSCRIPTION, { ...SUBSCRIPTION, current_period_start: 1 }].every(isSubscription)).toBe(true)
  const bad = [{ items: {} }, { items: { data: [{}] } }, { status: 5 }, { current_period_end: 'x' }]
  expect(bad.some((more) => isSubscription({ ...SUBSCRIPTION, ...more }))).toBe(false)
})
