// Replays in the protocol of Kalshi's WebSocket.

import type { ReplayProtocol } from '../../replay-protocol.ts'
import { KalshiSession } from './kalshi-session.ts'

export const KALSHI_PATH = '/replay/kalshi/trade-api/ws/v2'

export const KALSHI: ReplayProtocol = {
  path: KALSHI_PATH,
  id: 'replayKalshi',
  name: "Kalshi's WebSocket",
  sessions: () => (parts) => new KalshiSession(parts),
}
