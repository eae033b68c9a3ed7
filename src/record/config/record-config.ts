// The configuration of the recorder, made from record.toml: checked, frozen, times in ms, sizes in bytes.

import type { Share } from './share.ts'

export type RecordConfig = Readonly<{
  recorderId: string
  /** Null records all selected markets. */
  share: Share | null
  commitMs: number
  flushMs: number
  /** Null keeps segments for ever. */
  retentionDays: number | null
  /** Received bytes that may wait to be written. Above that, frames are dropped and an overflow is reported. */
  writeQueueBytesMax: number
  /** With less free space on the disk than this, no new markets are taken. */
  diskFreeBytesMin: number
  /** Whether a replay is requested to send the original times of its messages. */
  replayTimes: boolean
  /** Null if the file has no such section. */
  polymarket: PolymarketConfig | null
  kalshi: KalshiConfig | null
}>

/** Settings that both venues' connections have. */
export type ConnectionConfig = Readonly<{
  wsUrl: string
  /** Tokens of Polymarket, tickers of Kalshi. */
  perConnection: number
  connectionsMax: number
  /** 0 audits nothing. */
  auditsPerSecond: number
}> &
  Readonly<Pick<typeof KALSHI_LIMITS, keyof typeof KALSHI_LIMITS & keyof typeof POLYMARKET_LIMITS>>

/** A REST server. */
export type RestConfig = Readonly<{
  /** Without a trailing slash. */
  url: string
  requestsPerSecond: number
  timeoutMs: number
  attempts: number
  bodyBytesMax: number
}>

export type PolymarketConfig = ConnectionConfig &
  Readonly<typeof POLYMARKET_LIMITS> &
  Readonly<{
    /** Null if it is not used. */
    gamma: RestConfig | null
    clob: RestConfig | null
    /** Recorded without discovery. */
    assetIds: readonly string[]
    selection: PolymarketSelection
  }>

/** A market is selected if any of these lists names it, unless a list of `exclude` names it. */
export type PolymarketSelection = Lists<'slugs' | 'events' | 'tags' | 'series'> &
  Readonly<{
    all: boolean
    /** Dollars; 0 selects nothing. */
    volumeMin: number
    exclude: Lists<'slugs' | 'events' | 'tags' | 'series'>
  }>

type Lists<Name extends string> = Readonly<Record<Name, readonly string[]>>

export type KalshiConfig = ConnectionConfig &
  Readonly<typeof KALSHI_LIMITS> &
  Readonly<{
    /** Null if it is not used. */
    rest: RestConfig | null
    /** Null if the handshake is not signed. */
    signing: KalshiSigning | null
    /** Recorded without discovery. */
    tickers: readonly string[]
    selection: KalshiSelection
    /** Null if the venue has no maintenance window. */
    maintenance: WeeklyWindow | null
  }>

/** A market is selected if any of these lists names it, unless a list of `exclude` names it. Multivariate markets are
 *  selected only if they are named. */
export type KalshiSelection = Lists<'events' | 'series' | 'categories'> &
  Readonly<{ all: boolean; exclude: Lists<'tickers' | 'events' | 'series' | 'categories'> }>

export type KalshiSigning = Readonly<{ keyId: string; privateKeyPem: string }>

/** A weekly window in the local time of a time zone. It may extend past midnight. */
export type WeeklyWindow = Readonly<{
  /** 0 is Sunday. */
  day: number
  fromMinute: number
  /** On the same day; on the next day if it is not after `fromMinute`. */
  toMinute: number
  timeZone: string
}>

/** Whether the selection needs discovery to find its markets. */
export const selectsByDiscovery = (selection: PolymarketSelection | KalshiSelection): boolean => {
  const { all, exclude: _, ...lists } = selection
  return all || Object.values(lists).some((each) => (typeof each === 'number' ? each > 0 : each.length > 0))
}

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
