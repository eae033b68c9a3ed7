// Valid requests about the demo's day, at least one for each endpoint.

import { DEMO } from '../../support/demo.ts'

/** `path` is the request's path if the path of the operation has parameters, and otherwise ''. */
export type GoodRequest = { id: string; query: string; path: string }

const request = ([id = '', query = '', path = '']: string[]): GoodRequest => ({ id, query, path })

export const NOON = Date.parse(`${DEMO.date}T12:00:00Z`)
export const KALSHI = `?ticker=${DEMO.kalshiTicker}`
export const POLYMARKET = `?condition_id=${DEMO.conditionId}`
export const TOKEN = `${POLYMARKET}&asset_id=${DEMO.assetIds[0]}`
export const DAY = `&date=${DEMO.date}`
export const WINDOW = `&start_timestamp=${NOON}&end_timestamp=${NOON + 3_599_999}`
export const SECONDS = `&start_timestamp=${NOON / 1000}&end_timestamp=${NOON / 1000 + 59}`
export const NOTHING = 'KXNOTHING'
const QUARTER = 'KXDEMO15M-26JUL200015-15'

const FILES = {
  kalshi: `/kalshi/files/${DEMO.date}/${DEMO.kalshiTicker}`,
  polymarket: `/polymarket/files/${DEMO.date}/${DEMO.conditionId}`,
}
const TICKERS = `?tickers=${DEMO.kalshiTicker},${QUARTER},${NOTHING}`
const BOOKS = `?books=${DEMO.conditionId}:${DEMO.assetIds[0]},${DEMO.conditionId}:${DEMO.assetIds[1]}`
const ODD = '0x4a'.padEnd(66, '0')

export const FILE_PATHS = Object.entries(FILES).flatMap(([venue, path]) =>
  ['records.ndjson.zst', 'candles-1s.parquet', 'trades.parquet'].map((name) =>
    request([`${venue}File`, '', `${path}/${name}`]),
  ),
)

export const OF_BOOKS: GoodRequest[] = [
  ['kalshiOrderbookSummary', `${KALSHI}${DAY}`],
  ['kalshiOrderbookSummary', `${KALSHI}${SECONDS}&resolution=1&fill=range`],
  ['kalshiOrderbookSummary', `${KALSHI}&date=2026-07-19`],
  ['kalshiOrderbookSummary', `?ticker=${QUARTER}${DAY}&resolution=3600`],
  ['polymarketOrderbookSummary', `${TOKEN}${DAY}&resolution=300`],
  ['polymarketOrderbookSummary', `${TOKEN}${WINDOW}&fill=none`],
  ['kalshiTrades', `${KALSHI}${DAY}&limit=100000`],
  ['kalshiTrades', `${KALSHI}${WINDOW}&limit=1`],
  ['kalshiTrades', `${KALSHI}&date=2026-07-19`],
  ['polymarketTrades', `${POLYMARKET}${DAY}&limit=20`],
  ['polymarketTrades', `${TOKEN}${WINDOW}`],
  ['kalshiTradeSummary', `${KALSHI}${DAY}`],
  ['kalshiTradeSummary', `${KALSHI}&date=2026-07-19&fill=none`],
  ['polymarketTradeSummary', `${TOKEN}${WINDOW}&resolution=1`],
  ['kalshiDepthSummary', `${KALSHI}${DAY}`],
  ['kalshiDepthSummary', `${KALSHI}&date=2026-07-19&levels=1`],
  ['polymarketDepthSummary', `${TOKEN}${WINDOW}&levels=3&bands=0.01,0.05&sizes=100,500&fill=range`],
  ['kalshiDepthMap', `${KALSHI}${WINDOW}`],
  ['polymarketDepthMap', `${TOKEN}${WINDOW}&resolution_ms=1000&price_step=0.01`],
  ['kalshiBook', `${KALSHI}${DAY}&record=100&depth=2`],
  ['kalshiBook', KALSHI],
  ['polymarketBook', `${TOKEN}&timestamp=${NOON}`],
  ['polymarketBook', `${TOKEN}&timestamp=${NOON}999`],
  ['kalshiBook', `${KALSHI}&timestamp=${new Date(NOON).toISOString()}`],
  ['polymarketBook', `${TOKEN}&timestamp=1`],
  ['kalshiBookChanges', `${KALSHI}${DAY}&record=10&limit=100`],
  ['kalshiBookChanges', `${KALSHI}${SECONDS}`],
  ['polymarketBookChanges', `${TOKEN}${DAY}`],
  ['polymarketBookChanges', `${TOKEN}&date=2026-07-19`],
  ['kalshiOrderbookSummaryOfMany', `${TICKERS}${DAY}`],
  ['polymarketOrderbookSummaryOfMany', `?event=${DEMO.slug}${WINDOW}&resolution=600`],
  ['polymarketOrderbookSummaryOfMany', `${BOOKS},${ODD}:1${WINDOW}`],
  ['kalshiTradeSummaryOfMany', `${TICKERS}${WINDOW}`],
  ['polymarketTradeSummaryOfMany', `${BOOKS}${DAY}&resolution=3600`],
  ['kalshiDepthSummaryOfMany', `${TICKERS}${WINDOW}&levels=2`],
  ['polymarketDepthSummaryOfMany', `${BOOKS}${WINDOW}&bands=0.02`],
  ['kalshiBookOfMany', `${TICKERS}&timestamp=${NOON}`],
  ['polymarketBookOfMany', `${BOOKS}&timestamp=${NOON}&depth=1`],
  ['polymarketBookOfMany', BOOKS],
  ['kalshiMarketData', `${KALSHI}${DAY}&limit=100000`],
  ['kalshiMarketData', `${KALSHI}&date=2026-07-19`],
  ['polymarketMarketData', `${POLYMARKET}${DAY}&limit=100000`],
  ['polymarketMarketData', `${TOKEN}${DAY}&offset=5&limit=10`],
  ['kalshiMarketDataRange', `${KALSHI}${WINDOW}`],
  ['kalshiMarketDataRange', `${KALSHI}${SECONDS}&limit=1`],
  ['polymarketMarketDataRange', `${POLYMARKET}${WINDOW}&limit=10`],
].map(request)

export const OF_MARKETS: GoodRequest[] = [
  ['kalshiMarketList', ''],
  ['kalshiMarketList', '?prefix=kxdemoday&limit=1'],
  ['polymarketMarketList', '?limit=2'],
  ['kalshiMarketList', '?details=true&limit=3'],
  ['polymarketMarketList', '?details=true'],
  ['kalshiDateRange', KALSHI],
  ['kalshiDateRange', `?ticker=${NOTHING}`],
  ['polymarketDateRange', POLYMARKET],
  ['kalshiCoverage', KALSHI],
  ['kalshiCoverage', `?ticker=${NOTHING}`],
  ['polymarketCoverage', POLYMARKET],
  ['kalshiMarketInfo', KALSHI],
  ['polymarketMarketInfo', POLYMARKET],
  ['kalshiCalendar', ''],
  ['kalshiCalendar', '?from=2026-04-20&to=2026-07-20'],
  ['polymarketCalendar', ''],
  ['kalshiActiveMarkets', `?${DAY.slice(1)}&by=volume`],
  ['polymarketActiveMarkets', `?${DAY.slice(1)}`],
  ['kalshiSeries', ''],
  ['polymarketSeries', ''],
  ['kalshiEvents', '?limit=2'],
  ['polymarketEvents', ''],
  ['kalshiFiles', `?${DAY.slice(1)}&limit=1`],
  ['kalshiFiles', '?date=2026-07-19'],
  ['polymarketFiles', `${POLYMARKET}${DAY}`],
].map(request)

export const OTHERS: GoodRequest[] = [
  ['search', '?q=springfield'],
  ['search', '?q=kxdemo&venue=kalshi&limit=2'],
  ['search', '?q=nothing+of+it'],
  ['lookupSlug', `?slug=${DEMO.slug}`],
  ['health', ''],
  ['ready', ''],
  ['monitoringStatus', ''],
  ['monitoringHistory', ''],
  ['metrics', ''],
].map(request)

/** The first request of each market endpoint. */
export const ONE_EACH: GoodRequest[] = [
  ...new Map([...OF_BOOKS, ...OF_MARKETS, ...FILE_PATHS].reverse().map((each) => [each.id, each])).values(),
].reverse()
