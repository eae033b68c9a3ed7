// Markets are numbered in order of appearance, once for each source, however a message spells them.

import { expect, test } from 'bun:test'
import { MarketNumbers, NO_MARKET } from './market-numbers.ts'
import { MatchedMessage } from './matched-message.ts'

const CONDITION = `0x${'ab'.repeat(32)}`

function numbering() {
  const added: string[] = []
  const numbers = new MarketNumbers({
    addMarket: (venue, market, source) => void added.push(`${venue} ${market} ${source}`),
  })
  const match = new MatchedMessage()
  const at = (venue: 'kalshi' | 'polymarket', market: string, source?: string) => {
    const bytes = Buffer.from(`<${market}>`)
    match.starts[3] = 1
    match.ends[3] = bytes.length - 1
    return numbers.at({ venue, market: 3, shape: { source } } as never, bytes, match)
  }
  return { added, at }
}

test('spellings of one market have its number', () => {
  const { added, at } = numbering()
  expect([
    at('kalshi', 'kx-1'),
    at('kalshi', 'KX-1'),
    at('kalshi', 'Kx-1'),
    at('kalshi', 'KX-2'),
    at('kalshi', 'kx-1'),
  ]).toEqual([0, 0, 0, 1, 0])
  expect([at('polymarket', CONDITION.toUpperCase().replace('X', 'x')), at('polymarket', CONDITION)]).toEqual([2, 2])
  expect(added).toEqual(['kalshi KX-1 undefined', 'kalshi KX-2 undefined', `polymarket ${CONDITION} undefined`])
})

test('a market of an archive is another one', () => {
  const { added, at } = numbering()
  expect([
    at('kalshi', 'KX'),
    at('kalshi', 'KX', 'pmxt'),
    at('kalshi', 'KX'),
    at('kalshi', 'KX', 'pmxt'),
    at('kalshi', 'KX', 'tardis'),
  ]).toEqual([0, 1, 0, 1, 2])
  expect(added).toEqual(['kalshi KX undefined', 'kalshi KX pmxt', 'kalshi KX tardis'])
})

test.each([
  ['kalshi', ''],
  ['kalshi', 'a b'],
  ['kalshi', 'x'.repeat(129)],
  ['polymarket', 'KX'],
  ['polymarket', CONDITION.slice(0, -1)],
  ['polymarket', `\uFEFF${CONDITION}`],
] as const)('%s has no market %j', (venue, market) => {
  const { added, at } = numbering()
  expect([at(venue, market), at(venue, market), added]).toEqual([NO_MARKET, NO_MARKET, []])
})
