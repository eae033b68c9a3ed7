// What a market is called sets it apart from the others of its series, and says what became of it.

import { expect, test } from 'bun:test'
import { eventTime, settledText, titleOf } from '../../../explorer/data/market-name.ts'
import type { Venue } from '../../../explorer/state/view.ts'

const outcomes = [
  { outcome: 'Yes', title: 'Target Price: $4,398.78', asset_id: null },
  { outcome: 'No', title: 'Target price: TBD', asset_id: null },
]

test.each([
  ['kalshi', { title: 'Gold up?', subtitle: null, outcomes }, 'Gold up? Target Price: $4,398.78'],
  ['kalshi', { title: 'Gold up?', subtitle: 'By noon', outcomes }, 'Gold up? By noon'],
  ['kalshi', { title: 'Is the target price: $4,398.78 met?', subtitle: null, outcomes }, /met\?$/],
  ['polymarket', { title: 'Will A win?', subtitle: null, outcomes }, 'Will A win?'],
  ['polymarket', { title: 'Who wins?', subtitle: 'A', outcomes }, 'Who wins? A'],
  ['kalshi', { title: null, subtitle: 'By noon', outcomes }, 'KX-1'],
  ['kalshi', null, 'KX-1'],
])('%s %j', (venue, info, title) => {
  expect(titleOf({ venue: venue as Venue, market: 'KX-1', asset: null }, info)).toEqual(
    typeof title === 'string' ? title : expect.stringMatching(title),
  )
})

test('the time of an event is as the venue says it', () => {
  const market = {}
  expect(eventTime({ said: { market, event: { sub_title: ' 7:45PM EDT to 8:00PM EDT ' } } })).toBe(
    '7:45PM EDT to 8:00PM EDT',
  )
  expect(eventTime({ said: { market, event: { sub_title: 5 } } })).toBeNull()
  expect(eventTime({ said: null })).toBeNull()
})

test('what became of a market, and when', () => {
  const ms = Date.parse('2026-08-11T00:00:05.459Z')
  expect(settledText({ result: 'yes', settlement_timestamp: ms }, 'UTC')).toBe(
    'settled: Yes, 2026-08-11 00:00:05.459 UTC',
  )
  expect(settledText({ result: 'split', settlement_timestamp: null }, 'UTC')).toBe('settled: Split')
  expect(settledText({ result: null, settlement_timestamp: ms }, 'UTC')).toBeNull()
})
