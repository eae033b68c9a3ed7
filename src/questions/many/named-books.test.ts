// Tests the books of a request about many: a list, or those of an event.

import { expect, test } from 'bun:test'
import type { FoundMarket } from '../../../storage/finding/finding.ts'
import type { BookEntry } from '../../../storage/format/partition-head.ts'
import type { Venue } from '../../../storage/venue.ts'
import { CONDITION, fakeCatalogue, head } from '../../../test/support/server.ts'
import { PARAMETERS } from '../../http/parameters/venue-parameters.ts'
import { bookParameters, requestedBooks } from './named-books.ts'

const [TOKENS, STORED, UNKNOWN] = ['aa', 'bb', 'cc'].map((pair) => `0x${pair.repeat(32)}`) as [string, string, string]
const outcome = (asset_id: string | null) => ({ outcome: 'Yes', title: null, asset_id })
const FOUND: Record<string, Partial<FoundMarket>> = {
  [TOKENS]: {
    card: { outcomes: [outcome('22'), outcome(null), outcome('11')] } as FoundMarket['card'],
    entry: { lastDate: '2026-08-12' } as FoundMarket['entry'],
  },
  [STORED]: { entry: { lastDate: '2026-08-12' } as FoundMarket['entry'] },
  [UNKNOWN]: {},
}
const events: Record<string, string[]> = {
  'kalshi KXTEST': ['A', 'B'],
  'kalshi KXMANY': Array.from({ length: 201 }, (_, n) => `K${n}`),
  'kalshi KXNONE': [],
  'polymarket coin': [TOKENS, STORED, UNKNOWN],
}
const catalogue = fakeCatalogue({
  event: async (venue, event) => {
    const markets = events[`${venue} ${event}`]
    return markets && { id: event, title: null, markets }
  },
  foundMarkets: async (_, markets) => markets.map((market) => ({ market, ...FOUND[market] }) as FoundMarket),
  heads: async (_, __, range) => {
    const books = ['44', '33'].map((id) => ({ id }) as BookEntry)
    return range?.from === '2026-08-12' && range.to === '2026-08-12'
      ? [{ date: range.from, head: head({ books }) }]
      : []
  },
})

const ask = async (venue: Venue, query: Record<string, string>) =>
  requestedBooks({ parameters: PARAMETERS[venue], query, nowMs: 0 } as never, catalogue)

test('a list is taken in its order, each as it is stored', async () => {
  expect(await ask('kalshi', { tickers: 'b,A' })).toEqual([
    { market: 'B', asset: null },
    { market: 'A', asset: null },
  ])
  const id = CONDITION.slice(2).toUpperCase()
  expect(await ask('polymarket', { books: `${id}:5,${id}:6` })).toEqual([
    { market: CONDITION, asset: '5' },
    { market: CONDITION, asset: '6' },
  ])
})

test('of an event all tokens of each market, in the order of the venue, else those that are stored', async () => {
  expect(await ask('kalshi', { event: 'kxtest' })).toMatchObject([{ market: 'A' }, { market: 'B' }])
  expect((await ask('polymarket', { event: 'coin' })).map(({ market, asset }) => [market, asset])).toEqual([
    [TOKENS, '22'],
    [TOKENS, '11'],
    [STORED, '33'],
    [STORED, '44'],
    [UNKNOWN, null],
  ])
})

test.each<[Venue, Record<string, string>, string]>([
  ['kalshi', {}, 'tickers is required unless event is given'],
  ['polymarket', {}, 'books is required unless event is given'],
  ['kalshi', { tickers: 'A', event: 'B' }, 'event cannot be combined with tickers'],
  ['kalshi', { tickers: 'A,B,a' }, 'tickers must name each once, got "a" twice'],
  ['kalshi', { event: 'none' }, 'The loaded metadata has no market of the kalshi event "none"'],
  ['kalshi', { event: 'kxnone' }, 'The loaded metadata has no market of the kalshi event "kxnone"'],
  ['kalshi', { event: 'kxmany' }, 'must have at most 200 books, got "kxmany" with 201: list some of them'],
])('%s %j is refused', async (venue, query, message) => {
  await expect(ask(venue, query)).rejects.toThrow(message)
})

test('a list has at most 200 entries of the form of its venue', () => {
  const takes = (venue: Venue, name: string, text: string) => bookParameters(PARAMETERS[venue])[name]!.matches(text)
  const list = (count: number) => Array.from({ length: count }, (_, n) => `K${n}`).join()
  expect([list(200), list(201), 'a b', ''].map((text) => takes('kalshi', 'tickers', text))).toEqual([
    ...[true, false, false, false],
  ])
  expect([`${CONDITION}:1`, CONDITION, '0x1:1'].map((text) => takes('polymarket', 'books', text))).toEqual([
    ...[true, false, false],
  ])
})
