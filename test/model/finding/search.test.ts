// Tests search on the smallest documents that show each rule.

import { describe, expect, test } from 'bun:test'
import { CONDITION, capture, kalshiDelta, priceChange, TICKER } from '../lines.ts'
import { loadTexts } from '../model.ts'
import * as made from '../questions/made-lines.ts'
import { search } from './search.ts'

const market = (ticker: string, more: object = {}) =>
  JSON.stringify({ ticker, event_ticker: 'KXEVENT', title: 'Rain?', ...more })
const deltas = (...days: [ticker: string, day: number][]) =>
  days.map(([ticker, day]) => {
    const { msg, ...line } = kalshiDelta(day * made.DAY_MS, '0.4', '1')
    return JSON.stringify({ ...line, msg: { ...msg, market_ticker: ticker } })
  })
const found = (lines: string[], text: string, venue?: 'kalshi' | 'polymarket') =>
  search(loadTexts([lines.join('\n')], made.NOW), text, venue).map(({ row }) => row.market)

describe('every word', () => {
  const lines = [
    market('KXA-1', { yes_sub_title: 'Above 50°', title: 'Zürich: will it rain?' }),
    market('KXB-1', { title: 'Gold' }),
    JSON.stringify({ event: { event_ticker: 'KXEVENT', title: 'Weather', sub_title: 'In Málaga' }, markets: [] }),
    JSON.stringify({ conditionId: CONDITION, question: 'Rainfall?', slug: 'wet-days', outcomes: '["Lots", "None"]' }),
  ]
  test.each([
    ['rain', [CONDITION, 'KXA-1']],
    ['RAIN zur', ['KXA-1']],
    ['zürich 50', ['KXA-1']],
    ['ain', []],
    ['malaga weath', ['KXA-1', 'KXB-1']],
    ['yes', ['KXA-1']],
    ['wet none', [CONDITION]],
    ['gold rain', []],
    ['kxb', ['KXB-1']],
  ])('of %p begins a word of %p', (text, markets) => expect(found(lines, text).sort()).toEqual(markets))
  test('of one venue alone', () => expect(found(lines, 'rain', 'polymarket')).toEqual([CONDITION]))
})

test('an equal id comes first, then ids with this prefix, then the newest date, then markets without records', () => {
  const named = ['KXA-1', 'KXA-10', 'KXA-11', 'KXB', 'KXC', 'KXD'].map((ticker) => market(ticker, { title: 'kxa 1' }))
  const lines = [...named, ...deltas(['KXA-1', 0], ['KXA-10', 1], ['KXA-11', 2], ['KXB', 3], ['KXC', 4])]
  expect(found(lines, 'kxa-1')).toEqual(['KXA-1', 'KXA-11', 'KXA-10', 'KXC', 'KXB', 'KXD'])
})

test('a row has the description of a market and what is stored of it', () => {
  const stored = capture(kalshiDelta(0, '0.4', '1'), kalshiDelta(made.DAY_MS, '0.4', '1'), priceChange(0, {}))
  const [{ row } = { row: undefined }] = search(loadTexts([stored, market(TICKER)], made.NOW), TICKER)
  expect(row).toEqual({
    ...{ venue: 'kalshi', market: TICKER, title: 'Rain?', subtitle: null, slug: null, outcomes: [] },
    ...{ event: { id: 'KXEVENT', title: null }, has_data: true, start_date: '2026-08-10', end_date: '2026-08-11' },
    ...{ available_date_count: 2, record_count: 2 },
  })
})
