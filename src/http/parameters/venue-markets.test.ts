// Tests a parameter that names markets of both venues, or all markets of an event.

import { expect, test } from 'bun:test'
import { CONDITION, fakeCatalogue, TICKER } from '../../../test/support/server.ts'
import { requestedMarkets, VENUE_MARKETS, venueMarketsNamed } from './venue-markets.ts'

const markets = (count: number) => Array.from({ length: count }, (_, n) => `KX-${n}`)
const catalogue = fakeCatalogue({
  event: async (venue, event) => {
    const found: Record<string, string[]> = {
      ...{ 'kalshi KXTEST': [TICKER, 'KXGONE'], 'kalshi KXGONE': ['KXGONE'], 'kalshi KXMANY': markets(201) },
      ...{ 'kalshi KXFULL': markets(200), 'polymarket coin-Flips': [CONDITION] },
    }
    const named = found[`${venue} ${event}`]
    return named === undefined ? undefined : ({ markets: named } as never)
  },
})

test('markets are named in the order of the request, as they are stored', async () => {
  const given = `polymarket:${CONDITION.slice(2).toUpperCase()},kalshi:${TICKER.toLowerCase()}`
  const expected = [
    { venue: 'polymarket', market: CONDITION },
    { venue: 'kalshi', market: TICKER },
  ] as const
  expect(await venueMarketsNamed({ markets: given }, catalogue)).toEqual([...expected])
  expect(await requestedMarkets({ markets: given }, catalogue)).toEqual([...expected])
})

test('of an event only stored markets are requested, and its id gets the spelling of its venue', async () => {
  expect(await requestedMarkets({ event: 'kalshi:kxtest' }, catalogue)).toEqual([{ venue: 'kalshi', market: TICKER }])
  expect(await venueMarketsNamed({ event: 'kalshi:KXTEST' }, catalogue)).toHaveLength(2)
  expect(await venueMarketsNamed({ event: 'kalshi:KXFULL' }, catalogue)).toHaveLength(200)
  expect(await requestedMarkets({ event: 'polymarket:coin-Flips' }, catalogue)).toHaveLength(1)
})

test.each<[Parameters<typeof requestedMarkets>[0], string, string]>([
  [{ markets: 'kalshi:A', event: 'kalshi:B' }, 'parameters_invalid', 'event cannot be combined with markets'],
  [{}, 'parameters_invalid', 'markets is required unless event is given'],
  [{ markets: 'kalshi:A,kalshi:a' }, 'parameters_invalid', 'markets must name each once, got "kalshi:a" twice'],
  [{ markets: 'kalshi:NONE' }, 'market_not_stored', 'kalshi market with ticker NONE'],
  [{ event: 'kalshi:none' }, 'event_not_found', 'The loaded metadata has no market of the kalshi event "none"'],
  [{ event: 'polymarket:coin-flips' }, 'event_not_found', 'no market of the polymarket event "coin-flips"'],
  [{ event: 'kalshi:KXGONE' }, 'event_not_found', 'No market of the event "kalshi:KXGONE" is stored'],
  [{ event: 'kalshi:KXMANY' }, 'parameters_invalid', 'at most 200 markets, got "kalshi:KXMANY" with 201'],
])('%j is refused', async (query, code, message) => {
  const refused = requestedMarkets(query, catalogue)
  await expect(refused).rejects.toMatchObject({ code })
  await expect(refused).rejects.toThrow(message)
})

test('the parameters accept books of both venues, up to 200', () => {
  const takes = (text: string) => VENUE_MARKETS.markets.matches(text)
  expect(
    [
      `kalshi:a.b_C-1`,
      `polymarket:${CONDITION}`,
      markets(200)
        .map((each) => `kalshi:${each}`)
        .join(),
    ].map(takes),
  ).toEqual([true, true, true])
  expect(
    [
      '',
      'kalshi:',
      'other:a',
      'polymarket:0x12',
      'kalshi:a,',
      markets(201)
        .map((each) => `kalshi:${each}`)
        .join(),
    ].map(takes),
  ).toEqual([false, false, false, false, false, false])
  expect(['kalshi:A', 'kalshi:', 'kalshi:a b', 'other:a'].map((text) => VENUE_MARKETS.event.matches(text))).toEqual([
    true,
    false,
    false,
    false,
  ])
})
