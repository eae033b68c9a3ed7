// Replays in the protocol of Polymarket's market channel.

import type { ReplayProtocol } from '../../replay-protocol.ts'
import { AssetMarkets } from './asset-markets.ts'
import { PolymarketSession } from './polymarket-session.ts'

export const POLYMARKET_PATH = '/replay/polymarket/ws/market'

export const POLYMARKET: ReplayProtocol = {
  path: POLYMARKET_PATH,
  id: 'replayPolymarket',
  name: "Polymarket's market channel",
  sessions(catalogue) {
    const assets = new AssetMarkets(catalogue)
    return (parts) => new PolymarketSession({ ...parts, assets })
  },
}
