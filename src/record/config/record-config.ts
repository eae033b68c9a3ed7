// What record.toml says, as the recorder uses it: checked, frozen, and with times in ms and sizes in bytes.

import type { KALSHI_LIMITS, POLYMARKET_LIMITS } from './limits.ts'
import type { Share } from './share.ts'

export type RecordConfig = Readonly<{
  recorderId: string
  /** Null records all markets that are selected. */
  share: Share | null
  commitMs: number
  flushMs: number
  /** Null keeps segments for ever. */
  retentionDays: number | null
  /** What may be received and not be in a segment; above that, frames are dropped, and an overflow is reported. */
  writeQueueBytesMax: number
  /** Below this no new markets are taken. */
  diskFreeBytesMin: number
  /** Whether a replay is asked for the times of its messages. */
  replayTimes: boolean
  /** Null where the file has no such section. */
  polymarket: PolymarketConfig | null
  kalshi: KalshiConfig | null
}>

/** What all connections share. */
export type ConnectionConfig = Readonly<{
  wsUrl: string
  /** Tokens of Polymarket, tickers of Kalshi. */
  perConnection: number
  connectionsMax: number
  /** 0 audits nothing. */
  auditsPerSecond: number
}> &
  Readonly<Pick<typeof KALSHI_LIMITS, keyof typeof KALSHI_LIMITS & keyof typeof POLYMARKET_LIMITS>>

/** A server that answers REST. */
export type RestConfig = Readonly<{
  /** Without a slash at its end. */
  url: string
  requestsPerSecond: number
  timeoutMs: number
  attempts: number
  bodyBytesMax: number
}>

export type PolymarketConfig = ConnectionConfig &
  Readonly<typeof POLYMARKET_LIMITS> &
  Readonly<{
    /** Null: it is not asked. */
    gamma: RestConfig | null
    clob: RestConfig | null
    /** Recorded without discovery. */
    assetIds: readonly string[]
    selection: PolymarketSelection
  }>

/** A market is selected by any of these, unless it is excluded by any of those. */
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
    /** Null: it is not asked. */
    rest: RestConfig | null
    /** Null: the handshake is not signed. */
    signing: KalshiSigning | null
    /** Recorded without discovery. */
    tickers: readonly string[]
    selection: KalshiSelection
    /** Null for none. */
    maintenance: WeeklyWindow | null
  }>

/** A market is selected by any of these, unless it is excluded by any of those. Multivariate markets never are, unless
 *  they are named. */
export type KalshiSelection = Lists<'events' | 'series' | 'categories'> &
  Readonly<{ all: boolean; exclude: Lists<'tickers' | 'events' | 'series' | 'categories'> }>

export type KalshiSigning = Readonly<{ keyId: string; privateKeyPem: string }>

/** A window of each week, by the clock of a time zone. It may reach past midnight. */
export type WeeklyWindow = Readonly<{
  /** 0 is Sunday. */
  day: number
  fromMinute: number
  /** Of the same day; at or before `fromMinute`: of the next. */
  toMinute: number
  timeZone: string
}>

/** Whether the selection names what only discovery can find. */
export const selectsByDiscovery = (selection: PolymarketSelection | KalshiSelection): boolean => {
  const { all, exclude: _, ...lists } = selection
  return all || Object.values(lists).some((each) => (typeof each === 'number' ? each > 0 : each.length > 0))
}
