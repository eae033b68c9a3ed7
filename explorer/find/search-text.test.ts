// Tests which query a reader's input becomes, and which parts of the results are marked.

import { describe, expect, test } from 'bun:test'
import { daysText, markedParts, queryText } from './search-text.ts'

describe('the query', () => {
  test.each([
    ['fed  rate', 'fed  rate'],
    [' KXGOLD15M-26AUG05 ', 'KXGOLD15M-26AUG05'],
    ['0x8bf1c1536ecb1c08', '0x8bf1c1536ecb1c08'],
    ['https://polymarket.com/event/fed-decision-in-july/will-there-be-no-change?tid=17#x', 'will-there-be-no-change'],
    ['polymarket.com/event/fed-decision-in-july/', 'fed-decision-in-july'],
    ['https://kalshi.com/markets/kxhighny/highest-temperature-in-nyc/kxhighny-26jul20', 'kxhighny-26jul20'],
    ['https://www.kalshi.com/markets/caf%C3%A9', 'café'],
    ['https://kalshi.com/markets/%E0%A4', '%E0%A4'],
    ['what of a/b testing?', 'what of a/b testing?'],
  ])('%j: %j', (typed, requested) => {
    expect(queryText(typed)).toBe(requested)
  })

  test.each(['', '   ', '?!', 'https://polymarket.com/'])('%j: nothing', (typed) => {
    expect(queryText(typed)).toBeNull()
  })

  test('is at most as long as the server accepts', () => {
    expect(queryText('x'.repeat(1_000))).toHaveLength(200)
  })
})

describe('what is marked', () => {
  const marked = (text: string, requested: string) =>
    markedParts(text, requested)
      .map((part) => (part.isFound ? `[${part.text}]` : part.text))
      .join('')

  test.each([
    ['Gold price up in next 15 mins?', 'gold 15', '[Gold] price up in next [15] mins?'],
    ['KXGOLD15M-26AUG05', 'gold', 'KXGOLD15M-26AUG05'],
    ['Goldener Oktober', 'gold golde', '[Golde]ner Oktober'],
    ['a.b (c)', 'a (c', '[a].b ([c])'],
    ['nothing', '', 'nothing'],
  ])('%j by %j: %j', (text, requested, expected) => {
    expect(marked(text, requested)).toBe(expected)
  })
})

test('shows days by their first and last date', () => {
  expect(daysText('2026-07-20', '2026-07-20', 1)).toBe('2026-07-20')
  expect(daysText('2026-07-20', '2026-07-24', 3)).toBe('2026-07-20 to 2026-07-24, 3 days')
  expect(daysText(null, null, 0)).toBe('nothing stored')
})
