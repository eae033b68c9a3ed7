// Times and sizes of the recorder that no setting changes. They are fields of the configuration, so a test can replace
// them.

const SHARED = {
  /** Tokens or tickers in one command. */
  subscribeChunk: 100,
  /** Pause between opening two connections. */
  connectStaggerMs: 100,
  pingMs: 10_000,
  /** Longest random pause before a closed connection is reopened. */
  reconnectJitterMs: 750,
  /** Markets above this number are left out, and the status says so. */
  marketsMax: 200_000,
  /** How often all markets are listed. */
  scanMs: 1_800_000,
  /** How long a market is recorded after it was resolved or settled. */
  keepMs: 600_000,
}

export const POLYMARKET_LIMITS = {
  ...SHARED,
  /** Longest wait for the answer to a PING; then the connection is reopened. */
  pongMs: 5_000,
  /** Longest wait for the first snapshot of a subscription. */
  snapshotMs: 8_000,
  /** Pause after a connection could not be opened. It doubles up to `backoffToMs`. */
  backoffFromMs: 1_000,
  backoffToMs: 60_000,
  /** Silence after which a connection with at least `broadTokens` tokens is reopened. */
  silenceMs: 30_000,
  broadTokens: 100,
  /** How often a connection with fewer tokens is replaced. */
  rotateMs: 720_000,
  /** How often Gamma is requested for new markets, and for resolved ones. */
  newMs: 10_000,
  resolvedMs: 30_000,
  /** Markets on a page. */
  pageSize: 100,
}

export const KALSHI_LIMITS = {
  ...SHARED,
  pongMs: 20_000,
  snapshotMs: 10_000,
  backoffFromMs: 500,
  backoffToMs: 30_000,
  /** Longest wait for the answer to a command, and for the snapshots after a gap in the sequence. */
  replyMs: 10_000,
  resyncMs: 10_000,
  newMs: 30_000,
  resolvedMs: 60_000,
  /** How long before it opens a market is subscribed. */
  aheadMs: 86_400_000,
}
