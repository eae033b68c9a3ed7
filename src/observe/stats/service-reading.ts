// Takes one reading of the whole service, for the status page and the metrics. Reads existing counts and no data,
// which takes much less than a millisecond if no external service must be checked.

import type { Catalogue } from '../../../storage/catalogue.ts'
import type { StoreStats } from '../../../storage/maintenance.ts'
import { byVenue, VENUES, type Venue } from '../../../storage/venue.ts'
import type { PoolStats } from '../../../workers/requests.ts'
import type { CacheStats } from '../../http/answers/answer-cache.ts'
import type { SeenRecorder } from '../../record/status/status-file.ts'
import type { DescriptorState } from './descriptor-watch.ts'
import type { DiskStats } from './disk-stats.ts'
import type { EngineProbe, EngineState } from './engine-probe.ts'
import type { RequestStats } from './request-stats.ts'
import type { StreamStats } from './stream-stats.ts'
import type { TaskStats } from './task-stats.ts'

/** Sources from outside the app. Each may be missing. */
export type OutsideSources = {
  storeStats?: () => Promise<StoreStats>
  diskStats?: () => DiskStats
  /** External services of the store. */
  engines?: () => Promise<EngineState[]>
  descriptors?: () => DescriptorState
  /** Number of requests whose responses are being made or sent. */
  pendingRequests?: () => number
  /** Returns the recorder as last seen; null if no recorder ever ran on the data folder. */
  recorder?: () => SeenRecorder | null
}

export type ServiceSources = OutsideSources & {
  version: string
  catalogue: Pick<Catalogue, 'lastRecordMs'>
  workers: { stats(): PoolStats }
  accounts: { unwritten(): { requests: number; seconds: number } }
  probe: Pick<EngineProbe, 'states'>
  requests: RequestStats
  tasks: TaskStats
  cache: { stats(): CacheStats }
  /** Open connections of replays and streams. */
  connections: { count: number }
  streams: StreamStats
  uptimeSeconds: () => number
  nowMs: () => number
}

/** A reading. Values that cannot be read are null. */
export type ServiceReading = {
  /** Whether the store can be read at all. */
  isReadable: boolean
  store: StoreStats | null
  disk: DiskStats | null
  engines: EngineState[]
  descriptors: DescriptorState | null
  recorder: SeenRecorder | null
  pool: PoolStats
  accounts: Pick<EngineState, 'isUp' | 'answerMs'> & { unwritten: { requests: number; seconds: number } }
  lastRecords: Record<Venue, { timestampMs: number; ageSeconds: number } | null>
}

export async function readService(sources: ServiceSources): Promise<ServiceReading> {
  const [lastRecords, store, engines] = await Promise.all([
    readLastRecords(sources).catch(() => null),
    attemptLater(sources.storeStats),
    attemptLater(sources.engines),
  ])
  const [accounts] = await sources.probe.states()
  return {
    isReadable: lastRecords !== null && (sources.storeStats === undefined || store !== null),
    store,
    disk: attempt(sources.diskStats),
    engines: engines ?? [],
    descriptors: attempt(sources.descriptors),
    recorder: attempt(sources.recorder),
    pool: sources.workers.stats(),
    accounts: { ...accounts!, unwritten: sources.accounts.unwritten() },
    lastRecords: lastRecords ?? byVenue(() => null),
  }
}

async function readLastRecords({ catalogue, nowMs }: ServiceSources): Promise<ServiceReading['lastRecords']> {
  const entries = VENUES.map(async (venue) => {
    const timestampMs = await catalogue.lastRecordMs(venue)
    if (timestampMs === null) return [venue, null]
    return [venue, { timestampMs, ageSeconds: Math.max(0, (nowMs() - timestampMs) / 1000) }]
  })
  return Object.fromEntries(await Promise.all(entries)) as ServiceReading['lastRecords']
}

async function attemptLater<T>(read: (() => Promise<T>) | undefined): Promise<T | null> {
  try {
    return (await read?.()) ?? null
  } catch {
    return null
  }
}

function attempt<T>(read: (() => T) | undefined): T | null {
  try {
    return read?.() ?? null
  } catch {
    return null
  }
}
