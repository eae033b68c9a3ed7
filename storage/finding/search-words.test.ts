// Goal: text is split into words as a reader would split it, in any case and with or without accents.

import { expect, test } from 'bun:test'
import { marketWords, queryWords, wordsOf } from './search-words.ts'

test.each([
  ['Will it rain?', 'will it rain'],
  ['KXGOLD15M-26AUG101800-00', 'kxgold15m 26aug101800 00'],
  ['$4,394.94 target', '4 394 94 target'],
  ['Zürich – São Paulo', 'zurich sao paulo'],
  ['Zu\u0308rich', 'zurich'],
  ['STRASSE Straße', 'strasse strasse'],
  ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
  ['80-84°F', '80 84 f'],
  ['Киев, 東京', 'киев 東京'],
  ['İstanbul ﬁnal', 'istanbul final'],
  ['—…?', ''],
])('%p', (text, words) => expect(wordsOf(text).join(' ')).toBe(words))

test('drops repeated words and words that begin another one', () =>
  expect(queryWords('go gold GOLDEN go b')).toEqual(['golden', 'b']))

test('a market has the words of all its names, those of its id first', () => {
  const outcomes = [{ outcome: 'Yes', title: 'Above 50', asset_id: '123' }]
  const card = { title: 'Rain?', subtitle: 'Sun', slug: 'rain-or-sun', event: 'KXRAIN', outcomes }
  const words = marketWords('KXRAIN-26', card, {
    ...{ title: 'Weather', subtitle: 'Monday' },
    category: 'Climate',
    series: 'KXRAIN',
  })
  expect(words.slice(0, 2)).toEqual(['kxrain', '26'])
  expect(words.toSorted().join(' ')).toBe('26 50 above kxrain monday or rain sun weather yes')
  expect(marketWords('KXRAIN-26', undefined, undefined)).toEqual(['kxrain', '26'])
})
