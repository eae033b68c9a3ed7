// A market's name distinguishes it from others of its series. Its result is shown, too.

import { expect, test } from 'bun:test'
import type { Venue } from '../venues.ts'
import { decidedBy, eventTime, settledText, strikeText, titleOf, venueUrl } from './market-name.ts'

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

test('shows the time of an event as the venue gives it', () => {
  const market = {}
  expect(eventTime({ said: { market, event: { sub_title: ' 7:45PM EDT to 8:00PM EDT ' } } })).toBe(
    '7:45PM EDT to 8:00PM EDT',
  )
  expect(eventTime({ said: { market, event: { sub_title: 5 } } })).toBeNull()
  expect(eventTime({ said: null })).toBeNull()
})

test('shows how a market ended, and when', () => {
  const ms = Date.parse('2026-08-11T00:00:05.459Z')
  expect(settledText({ result: 'yes', settlement_timestamp: ms }, 'UTC')).toBe(
    'settled: Yes, 2026-08-11 00:00:05.459 UTC',
  )
  expect(settledText({ result: 'split', settlement_timestamp: null }, 'UTC')).toBe('settled: Split')
  expect(settledText({ result: null, settlement_timestamp: ms }, 'UTC')).toBeNull()
})

test.each([
  [4128.56, 'greater_or_equal', '≥ 4,128.56'],
  [0, 'less', '< 0'],
  [0.00001234, 'between', 'from 0.00001234'],
  [65_617.7437, null, '65,617.7437'],
  [null, 'structured', null],
])('the strike %p, %p', (strike, strike_kind, text) => {
  expect(strikeText({ strike, strike_kind })).toBe(text)
})

test('shows what decided a market as its venue gives it', () => {
  const kalshi = (expiration_value?: string) => ({ said: { market: { expiration_value }, event: null } })
  expect(decidedBy(kalshi('4402.44'))).toBe('4,402.44')
  expect(decidedBy(kalshi('Above 50'))).toBe('Above 50')
  expect([kalshi(''), kalshi(), { said: null }].map(decidedBy)).toEqual([null, null, null])
  expect(decidedBy({ said: { market: {}, event: { eventMetadata: { finalPrice: 65_620.5 } } } })).toBe('65,620.5')
})

test('links to the page of the market at its venue', () => {
  const url = (venue: Venue, slug: string | null, event: string | null) =>
    venueUrl({ venue, market: 'X', asset: null }, { slug, event: event === null ? null : { id: event } })
  expect(url('kalshi', null, 'KXGOLD-26')).toBe('https://kalshi.com/markets/kxgold-26')
  expect(url('polymarket', 'a/b', 'coins')).toBe('https://polymarket.com/event/coins/a%2Fb')
  expect(url('polymarket', 'up', null)).toBe('https://polymarket.com/market/up')
  expect([url('kalshi', null, null), url('polymarket', null, 'coins')]).toEqual([null, null])
})
