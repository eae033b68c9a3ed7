// Tests the changes of a book: of a date from a record on, or of a window.

import { expect, test } from 'bun:test'
import type { ChangesRequest } from '../../workers/changes/table-of-changes.ts'
import { PARAMETERS } from '../http/parameters/venue-parameters.ts'
import { bookChanges } from './book-changes.ts'
import type { RecordsPlan } from './question.ts'

const START = Date.parse('2026-08-10')

async function planOf(
  query: Record<string, string>,
  hasMore: boolean | null,
  venue: 'kalshi' | 'polymarket' = 'kalshi',
) {
  const plan = bookChanges.plan(
    { parameters: PARAMETERS[venue], query, nowMs: 0 } as never,
    new Uint8Array(0),
    null as never,
  )
  let request: ChangesRequest | undefined
  const ask = async (_: unknown, given: ChangesRequest) => {
    request = given
    return { hasMore, data: { bytes: new Uint8Array(0) } }
  }
  const { envelope } = await (plan as RecordsPlan).answer({ ask } as never, { format: 'json' })
  return { plan: plan as RecordsPlan, request, envelope }
}

test('of a date: a number of records from a given record on, and whether there are more', async () => {
  const { plan, request, envelope } = await planOf({ ticker: 'kx', date: '2026-08-10' }, true)
  expect(request).toMatchObject({
    venue: 'kalshi',
    market: 'KX',
    book: 'KX',
    scope: { date: '2026-08-10', record: 0, limit: 16_384 },
  })
  expect(envelope).toEqual({ market_ticker: 'KX', date: '2026-08-10', record: 0, limit: 16_384, has_more: true })
  expect([plan.fromMs, plan.toMs, plan.isCacheable]).toEqual([START, START + 86_399_999, false])
  const from = await planOf({ ticker: 'kx', date: '2026-08-10', record: '5', limit: '9' }, false)
  expect([from.request?.scope, from.envelope]).toMatchObject([
    { record: 5, limit: 9 },
    { record: 5, limit: 9, has_more: false },
  ])
})

test('of a window: all changes', async () => {
  const bounds = { start_timestamp: `${START}`, end_timestamp: `${START + 9}` }
  const query = { condition_id: 'ab'.repeat(32), asset_id: '7', ...bounds, trust: 'lost,doubtful' }
  const { request, envelope } = await planOf(query, null, 'polymarket')
  expect(request).toMatchObject({ book: '7', scope: { fromMs: START, toMs: START + 9 }, trust: ['lost', 'doubtful'] })
  const ids = { market_condition_id: `0x${'ab'.repeat(32)}`, asset_id: '7' }
  expect(envelope).toEqual({ ...ids, date: null, start_timestamp: START, end_timestamp: START + 9 })
})

test.each(['record', 'limit'])('%s is for a date', async (name) => {
  const bounds = { start_timestamp: `${START}`, end_timestamp: `${START + 9}` }
  await expect(planOf({ ticker: 'kx', ...bounds, [name]: '5' }, null)).rejects.toThrow(
    `${name} needs date: bounds return all changes`,
  )
})
