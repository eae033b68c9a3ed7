// Tests a batch of usage: sums, and the newest requests of each user.

import { expect, test } from 'bun:test'
import { answeredCall } from '../../../test/support/calls.ts'
import { RECENT_MAX, UsageBatch } from './usage-batch.ts'

const NOW = Date.parse('2026-11-21T13:30:00.000Z')

test('a batch adds up by user, key, market and status', () => {
  const batch = new UsageBatch(NOW)
  batch.add(answeredCall())
  batch.add(answeredCall({ market: 'KXOTHER', nowMs: NOW + 5 }))
  batch.add(answeredCall({ status: 404, counts: false, market: 'KXUNKNOWN' }))
  batch.add(answeredCall({ userId: 'bob', status: 429, counts: false }))
  batch.add(answeredCall({ userId: 'bob', status: 503, counts: false, venue: 'polymarket' }))
  expect([batch.hour, batch.day, batch.month]).toEqual(['2026-11-21T13:00:00Z', '2026-11-21', '2026-11'])
  const { requests, calls, refused, failed } = batch
  expect({ requests, calls, refused, failed }).toEqual({ requests: 5, calls: 2, refused: 1, failed: 1 })
  expect([...batch.users].map(([user, use]) => [user, use.requests, use.calls])).toEqual([
    ['ann', 3, 2],
    ['bob', 2, 0],
  ])
  expect([...batch.markets.kalshi]).toEqual([
    ['KXTEST', 1],
    ['KXOTHER', 1],
  ])
  expect(batch.keys.get('key_of_ann')).toBe(NOW + 2)
})

test('it holds one hour', () => {
  const batch = new UsageBatch(NOW)
  const at = (time: string) => batch.holds(Date.parse(`2026-11-21T${time}Z`))
  expect([at('12:59:59.999'), at('13:00:00.000'), at('13:59:59.999'), at('14:00:00.000')]).toEqual([
    ...[false, true, true, false],
  ])
})

test('it keeps the newest requests, however many there are', () => {
  const batch = new UsageBatch(NOW)
  for (let each = 0; each < 1_000; each++) batch.add(answeredCall({ path: `/${each}` }))
  const { recent } = batch.users.get('ann')!
  expect(recent.length).toBeLessThan(2 * RECENT_MAX)
  const newest = recent.slice(-RECENT_MAX).map(({ path }) => path)
  expect(newest).toEqual(Array.from({ length: RECENT_MAX }, (_, index) => `/${1_000 - RECENT_MAX + index}`))
})
