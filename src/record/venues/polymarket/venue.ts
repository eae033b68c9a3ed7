// Describes Polymarket to the recorder.

import { selectsByDiscovery } from '../../config/venue-config.ts'
import { FINDS_NOTHING, type OpenedVenue, type RecordedVenue } from '../../discovery/recorded-venue.ts'
import { messagesIn } from './messages.ts'
import { POLYMARKET_SETTINGS, type PolymarketConfig, polymarketConfig } from './polymarket-config.ts'
import { PolymarketFinder } from './polymarket-finder.ts'
import { PolymarketProtocol } from './protocol.ts'

/** A market may be without tokens for minutes. */
const HYDRATION = { attempts: 12, fromMs: 5_000, toMs: 15_000 }

export const POLYMARKET: RecordedVenue<typeof POLYMARKET_SETTINGS, PolymarketConfig> = {
  settings: POLYMARKET_SETTINGS,
  snapshotMarks: ['\\"bids\\"'],
  snapshotBooks(frame) {
    try {
      const news = messagesIn(frame).flatMap((message) => message.news)
      return news.filter(({ kind }) => kind === 'book').map(({ token }) => token)
    } catch {
      return []
    }
  },
  configOf: polymarketConfig,
  open(config, { hostOf, timers, random, hint }): OpenedVenue {
    const gamma = hostOf(config.gamma)
    const protocol = { config, rest: hostOf(config.clob), hint, timers, random }
    return {
      protocol: new PolymarketProtocol({ ...protocol, listens: false }),
      listener: selectsByDiscovery(config.selection) ? new PolymarketProtocol({ ...protocol, listens: true }) : null,
      finder: gamma === null ? FINDS_NOTHING : new PolymarketFinder(config, gamma),
      // The markets of these tokens are not known.
      named: config.assetIds.map((token) => ({ venue: 'polymarket', market: null, books: [token] })),
      hydration: HYDRATION,
      isSigned: null,
    }
  },
}
