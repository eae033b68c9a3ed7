// The times and sizes that the recorder works with and that no setting changes. They are fields of the configuration,
// so that a test can build one with others.

const SHARED = {
  /** Tokens or tickers that one command names. */
  subscribeChunk: 100,
  /** The pause between the opening of one connection and the next. */
  connectStaggerMs: 100,
  pingMs: 10_000,
  /** The longest random pause before a connection that was closed is reopened. */
  reconnectJitterMs: 750,
  /** More markets than these are left out, and the status says so. */
  marketsMax: 200_000,
  /** How often all markets are listed. */
  scanMs: 1_800_000,
  /** How long a market is recorded after it was resolved or settled. */
  keepMs: 600_000,
}

export const POLYMARKET_LIMITS = {
  ...SHARED,
  /** How long the answer to a PING may take; then the connection is reopened. */
  pongMs: 5_000,
  /** How long the first book of a subscription may take. */
  snapshotMs: 8_000,
  /** The pause after a connection could not be opened; it doubles up to `backoffToMs`. */
  backoffFromMs: 1_000,
  backoffToMs: 60_000,
  /** Silence after which a connection of `broadTokens` or more is reopened. */
  silenceMs: 30_000,
  broadTokens: 100,
  /** How often a connection of fewer tokens is replaced. */
  rotateMs: 720_000,
  /** How often Gamma is asked for new markets, and for those that were resolved. */
  newMs: 10_000,
  resolvedMs: 30_000,
  /** Markets that are asked for at once. */
  pageSize: 100,
}

export const KALSHI_LIMITS = {
  ...SHARED,
  pongMs: 20_000,
  snapshotMs: 10_000,
  backoffFromMs: 500,
  backoffToMs: 30_000,
  /** How long the answer to a command may take, and the books after a hole in the sequence. */
  replyMs: 10_000,
  resyncMs: 10_000,
  newMs: 30_000,
  resolvedMs: 60_000,
  /** How long before its opening a market is subscribed. */
  aheadMs: 86_400_000,
}
