// Tests the description and the stored data of a found market.

import { expect, test } from 'bun:test'
import { cardOf, storedOf } from './found-market.ts'

test('the metadata of a market, without outcomes that have no name', () => {
  const named = { outcome: 'Yes', title: null, asset_id: '1' }
  const card = { title: 'T', subtitle: 'S', slug: 's', event: 'E', outcomes: [named, { ...named, outcome: '' }] }
  const event = { id: 'E', title: 'Event', more: 1 } as { id: string; title: string }
  expect(cardOf(card, event)).toEqual({
    ...{ title: 'T', subtitle: 'S', slug: 's', event: { id: 'E', title: 'Event' }, outcomes: [named] },
  })
  expect(cardOf(undefined, null)).toEqual({ title: null, subtitle: null, slug: null, event: null, outcomes: [] })
})

test('the counts of a market, and of one without records', () => {
  const entry = { firstDate: '2026-08-10', lastDate: '2026-08-12', dateCount: 2, recordCount: 9, revision: 1 }
  expect(storedOf(entry)).toEqual({
    ...{ has_data: true, start_date: '2026-08-10', end_date: '2026-08-12', available_date_count: 2, record_count: 9 },
  })
  expect(storedOf(undefined)).toEqual({
    ...{ has_data: false, start_date: null, end_date: null, available_date_count: 0, record_count: 0 },
  })
})
