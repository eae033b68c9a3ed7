// Random documents of both venues: single markets and events, pages of them, and events with their markets. Each
// document lacks some fields, and some of its fields are empty.

import type { Random } from '../../../workers/synthetic/random.ts'

const CONDITIONS = ['a1', 'b2', 'c3'].map((pair) => `0x${pair.repeat(32)}`)
const TICKERS = ['KXINFO-1', 'KXINFO-2', 'kxinfo-3']
const TIMES = ['2026-08-10T12:00:00Z', '2026-08-10T12:00:00.123456Z', '2026-08-11T00:00:00Z', '2026-08-11 00:00:16+00']
const WORDS = ['Up?', 'Will it rain?', 'Fed cuts', 'Zürich', '']

export const infoMarkets = [
  ...CONDITIONS.map((market) => ({ venue: 'polymarket' as const, market })),
  ...TICKERS.map((ticker) => ({ venue: 'kalshi' as const, market: ticker.toUpperCase() })),
]

export function metadataDocument(random: Random): object {
  const kind = random.below(8)
  if (kind < 2) return gammaMarket(random)
  if (kind === 2) return { ...gammaEvent(random), markets: [gammaMarket(random), gammaMarket(random)] }
  if (kind === 3) return { ...kalshiMarket(random) }
  if (kind === 4) return { market: kalshiMarket(random) }
  if (kind === 5) return { markets: [kalshiMarket(random), kalshiMarket(random)], cursor: '' }
  if (kind === 6) return { event: kalshiEvent(random), markets: [kalshiMarket(random)] }
  return { response: { event: { ...kalshiEvent(random), markets: [kalshiMarket(random)] } } }
}

/** Returns an object with a random choice of the fields. Some values are empty. */
function some(random: Random, fields: Record<string, () => unknown>): object {
  const there = Object.entries(fields).filter(() => random.chance(0.6))
  return Object.fromEntries(
    there.map(([name, value]) => [name, random.chance(0.1) ? random.pick([null, '']) : value()]),
  )
}

function gammaMarket(random: Random): object {
  const fields = some(random, {
    slug: () => random.pick(['up', 'rain']),
    groupItemTitle: () => random.pick(WORDS),
    ...{ startDate: () => random.pick(TIMES), endDate: () => random.pick(TIMES), closedTime: () => random.pick(TIMES) },
    ...{ closed: () => random.chance(0.5), active: () => random.chance(0.5), archived: () => random.chance(0.3) },
    outcomePrices: () => random.pick(['["1", "0"]', '["0", "1"]', '["0.5", "0.5"]', '["0.4", "0.6"]', '[]']),
    umaResolutionStatus: () => random.pick(['resolved', 'proposed']),
    orderPriceMinTickSize: () => random.pick([0.01, 0.001]),
    ...{ description: () => random.pick(WORDS), resolutionSource: () => random.pick(WORDS) },
    updatedAt: () => random.pick(TIMES),
    events: () => [gammaEvent(random)],
  })
  // Outcomes and tokens are chosen separately, so a market may have only one of the two.
  const outcomes = {
    ...(random.chance(0.6) ? { outcomes: random.pick(['["Up", "Down"]', '["Yes", "No"]', '["Yes"]', '[]']) } : {}),
    ...(random.chance(0.6) ? { clobTokenIds: random.pick(['["11", "22"]', '["33", "44"]', '["55"]', '[]']) } : {}),
  }
  return { conditionId: random.pick(CONDITIONS), question: random.pick(WORDS), ...outcomes, ...fields }
}

function gammaEvent(random: Random): object {
  const fields = some(random, {
    ...{ title: () => random.pick(WORDS), updatedAt: () => random.pick(TIMES) },
    eventMetadata: () => random.pick([{ priceToBeat: 65617.7437 }, { context: 'Rain' }]),
  })
  return { slug: random.pick(['coins', 'weather']), ...fields }
}

function kalshiMarket(random: Random): object {
  const fields = some(random, {
    ...{ title: () => random.pick(WORDS), subtitle: () => random.pick(WORDS) },
    ...{ open_time: () => random.pick(TIMES), close_time: () => random.pick([...TIMES, '0001-01-01T00:00:00Z']) },
    ...{ settlement_ts: () => random.pick(TIMES), updated_time: () => random.pick(TIMES) },
    ...{ status: () => random.pick(['active', 'finalized']), result: () => random.pick(['yes', 'no', '']) },
    price_ranges: () =>
      random.pick([[], [range('0.0000', '1.0000', '0.0100')], [range('0', '0.1', '0.001'), range('0.1', '1', '0.01')]]),
    ...{ floor_strike: () => random.pick([4409.59, 0]), cap_strike: () => random.pick([4500, '4500.125']) },
    strike_type: () => random.pick(['between', 'less']),
    ...{ rules_primary: () => random.pick(WORDS), rules_secondary: () => random.pick(WORDS) },
  })
  const outcomes = random.chance(0.7)
    ? { yes_sub_title: random.pick(['50° or above', 'Up']), no_sub_title: 'Other' }
    : {}
  return { ticker: random.pick(TICKERS), event_ticker: random.pick(['KXINFO', 'KXINFOS']), ...outcomes, ...fields }
}

const range = (start: string, end: string, step: string) => ({ start, end, step })

function kalshiEvent(random: Random): object {
  const fields = some(random, { sub_title: () => random.pick(WORDS), last_updated_ts: () => random.pick(TIMES) })
  return { event_ticker: random.pick(['KXINFO', 'KXINFOS']), title: random.pick(['Rain', 'Gold']), ...fields }
}
