// Builds the metadata of the synthetic event in the form in which Gamma, the venue's catalogue, returns it on the
// morning of the day. As in the venue's own metadata, the outcomes, their prices and the token ids are JSON inside
// strings, and a market has its volume both as text and as a number.

import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { DOLLAR_MILLI } from './bid-ladder.ts'
import { ORDER_SIZE_MIN, type PolymarketEventPlan, type PolymarketMarketPlan } from './polymarket-event.ts'

export function gammaEvent(event: PolymarketEventPlan, date: string): object {
  const { id, slug, title, negRiskMarketId, markets } = event
  return {
    id,
    ticker: slug,
    slug,
    title,
    description: DESCRIPTION,
    resolutionSource: '',
    ...lifetime(date),
    creationDate: timeText(dateStartMs(date) - 3 * DAY_MS),
    active: true,
    closed: false,
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    liquidity: 184_250.5,
    volume: 96_731.25,
    enableOrderBook: true,
    negRisk: true,
    negRiskMarketID: negRiskMarketId,
    markets: markets.map((market, index) => gammaMarket(market, { date, negRiskMarketId, threshold: String(index) })),
    series: [],
    tags: [{ id: '900001', label: 'Synthetic', slug: 'synthetic' }],
  }
}

const DESCRIPTION = 'Synthetic data: this event, its town, its prices and its identifiers are made up.'

type GammaMarketContext = { date: string; negRiskMarketId: string; threshold: string }

function gammaMarket(market: PolymarketMarketPlan, { date, negRiskMarketId, threshold }: GammaMarketContext): object {
  const yesMilli = market.path.fromMilli
  return {
    id: market.id,
    question: market.question,
    conditionId: market.conditionId,
    slug: market.slug,
    description: DESCRIPTION,
    ...lifetime(date),
    outcomes: JSON.stringify(['Yes', 'No']),
    outcomePrices: JSON.stringify([String(yesMilli / DOLLAR_MILLI), String((DOLLAR_MILLI - yesMilli) / DOLLAR_MILLI)]),
    clobTokenIds: JSON.stringify(market.assetIds),
    volume: '32243.75',
    volumeNum: 32_243.75,
    liquidity: '61416.5',
    liquidityNum: 61_416.5,
    active: true,
    closed: false,
    archived: false,
    new: false,
    restricted: true,
    groupItemTitle: market.label,
    groupItemThreshold: threshold,
    questionID: market.questionId,
    enableOrderBook: true,
    acceptingOrders: true,
    orderPriceMinTickSize: market.tickMilli / DOLLAR_MILLI,
    orderMinSize: ORDER_SIZE_MIN,
    negRisk: true,
    negRiskMarketID: negRiskMarketId,
    feesEnabled: false,
  }
}

function lifetime(date: string): object {
  const startMs = dateStartMs(date) - 3 * DAY_MS
  const endMs = dateStartMs(date) + DAY_MS + DAY_MS / 6
  return { startDate: timeText(startMs), endDate: timeText(endMs) }
}

const timeText = (timestampMs: number) => new Date(timestampMs).toISOString().replace('.000Z', 'Z')
