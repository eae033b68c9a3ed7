// Describes Kalshi to the recorder.

import { selectsByDiscovery } from '../../config/venue-config.ts'
import { FINDS_NOTHING, type OpenedVenue, type RecordedVenue } from '../../discovery/recorded-venue.ts'
import { msOf } from '../../time/clock.ts'
import { messagesIn } from './frame.ts'
import { KALSHI_SETTINGS, type KalshiConfig, kalshiConfig } from './kalshi-config.ts'
import { KalshiFinder } from './kalshi-finder.ts'
import { KalshiProtocol } from './protocol.ts'

/** A market that was just announced may not be listed at once. */
const HYDRATION = { attempts: 5, fromMs: 2_000, toMs: 10_000 }

export const KALSHI: RecordedVenue<typeof KALSHI_SETTINGS, KalshiConfig> = {
  settings: KALSHI_SETTINGS,
  snapshotMarks: ['orderbook_snapshot'],
  snapshotBooks: (frame) =>
    (messagesIn(frame) ?? []).flatMap(({ type, market }) => (type === 'orderbook_snapshot' ? (market ?? []) : [])),
  configOf: kalshiConfig,
  open(config, { hostOf, clock, ...tools }): OpenedVenue {
    const signAt = config.sign
    const sign = signAt && ((url: string) => signAt(url, msOf(clock.wallNs())))
    const rest = hostOf(config.rest, sign)
    const protocol = new KalshiProtocol({ config, rest, sign, ...tools })
    return {
      protocol,
      // The first session receives the lifecycle of all markets, even while no market is recorded.
      listener: selectsByDiscovery(config.selection) ? protocol : null,
      finder: rest === null ? FINDS_NOTHING : new KalshiFinder(config, rest),
      named: config.tickers.map((ticker) => ({ venue: 'kalshi', market: ticker, books: [ticker] })),
      hydration: HYDRATION,
      isSigned: sign !== undefined,
    }
  },
}
