// What the configuration says to connections, in their words.

import type { ConnectionConfig, KalshiConfig, PolymarketConfig } from '../config/record-config.ts'
import type { ConnectionLimits } from '../connection/connection-options.ts'
import type { LivenessLimits } from '../connection/liveness.ts'

const ROTATE_AGAIN_MS = 60_000
/** How long a connection must hold until the pauses begin from the start again. */
const HEALTHY_MS = 30_000
/** A book that did not come is asked for again after so many times its deadline. */
const AGAIN_TIMES = 8

export function connectionLimits(config: ConnectionConfig): ConnectionLimits {
  const { backoffFromMs, backoffToMs, reconnectJitterMs, snapshotMs } = config
  return {
    backoff: { firstMs: backoffFromMs, maxMs: backoffToMs, cleanMs: reconnectJitterMs, healthyMs: HEALTHY_MS },
    snapshotMs,
    snapshotAgainMs: AGAIN_TIMES * snapshotMs,
    rotateAgainMs: ROTATE_AGAIN_MS,
  }
}

export const polymarketLiveness = (config: PolymarketConfig): LivenessLimits => ({
  pingMs: config.pingMs,
  pongMs: config.pongMs,
  silenceMs: config.silenceMs,
  broadBooks: config.broadTokens,
  rotateMs: config.rotateMs,
})

/** A quiet market of Kalshi says nothing, and its heartbeats are answered by what sends the data. */
export const kalshiLiveness = ({ pingMs, pongMs }: KalshiConfig): LivenessLimits => ({
  pingMs,
  pongMs,
  silenceMs: null,
  broadBooks: Number.POSITIVE_INFINITY,
  rotateMs: null,
})

const LOOK_MS_MIN = 10
const LOOK_MS_MAX = 1_000

/** How often connections are looked at: some times within the shortest of their deadlines. */
export function lookEveryMs(configs: readonly ConnectionConfig[]): number {
  const deadlines = configs.flatMap(({ pingMs, pongMs, snapshotMs }) => [pingMs, pongMs, snapshotMs])
  return Math.max(LOOK_MS_MIN, Math.min(LOOK_MS_MAX, ...deadlines.map((ms) => ms / 4)))
}
