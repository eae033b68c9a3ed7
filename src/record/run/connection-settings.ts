// Converts the configuration into the limits of connections.

import type { ConnectionConfig, KalshiConfig, PolymarketConfig } from '../config/record-config.ts'
import type { ConnectionLimits } from '../connection/connection-options.ts'
import type { LivenessLimits } from '../connection/liveness.ts'

const ROTATE_AGAIN_MS = 60_000
/** A connection that was open for this long resets the pauses between attempts. */
const HEALTHY_MS = 30_000
/** A missing snapshot is requested again after this many times its deadline. */
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

/** Silence proves nothing on Kalshi: a quiet market sends nothing, and the part of the venue that sends data also
 *  answers heartbeats. */
export const kalshiLiveness = ({ pingMs, pongMs }: KalshiConfig): LivenessLimits => ({
  pingMs,
  pongMs,
  silenceMs: null,
  broadBooks: Number.POSITIVE_INFINITY,
  rotateMs: null,
})

const LOOK_MS_MIN = 10
const LOOK_MS_MAX = 1_000

/** Returns how often connections are checked, ms: four times within their shortest deadline, from 10 ms to 1 s. */
export function lookEveryMs(configs: readonly ConnectionConfig[]): number {
  const deadlines = configs.flatMap(({ pingMs, pongMs, snapshotMs }) => [pingMs, pongMs, snapshotMs])
  return Math.max(LOOK_MS_MIN, Math.min(LOOK_MS_MAX, ...deadlines.map((ms) => ms / 4)))
}
