// One reading of the whole service, which the status page and the metrics are both made from: counts that are kept
// anyway, so that reading them costs well below a millisecond and looks at no data.

import type { Catalogue } from '../../../storage/catalogue.ts'
import type { StoreFigures } from '../../../storage/lmdb/store-figures.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { PoolFigures } from '../../../workers/requests.ts'
import type { CacheStats } from '../../http/answers/answer-cache.ts'
import type { AccountsProbe, AccountsState } from './accounts-probe.ts'
import type { DescriptorState } from './descriptor-watch.ts'
import type { DiskStats } from './disk-stats.ts'
import type { RequestStats } from './request-stats.ts'
import type { TaskStats } from './task-stats.ts'

export type ServiceSources = {
  version: string
  catalogue: Pick<Catalogue, 'lastRecordMs'>
  workers: { figures(): PoolFigures }
  accounts: { unwritten(): { requests: number; seconds: number } }
  probe: Pick<AccountsProbe, 'state'>
  requests: RequestStats
  tasks: TaskStats
  cache: { stats(): CacheStats }
  /** Null where the app has no folder of its own to look at. */
  storeStats: (() => StoreFigures) | null
  diskStats: (() => DiskStats) | null
  descriptors: (() => DescriptorState) | null
  /** Requests whose answers are being made or sent. */
  pendingRequests: (() => number) | null
  uptimeSeconds: () => number
  nowMs: () => number
}

/** Null stands for what cannot be read. */
export type ServiceReading = {
  /** Whether the store can be read at all. */
  isReadable: boolean
  store: StoreFigures | null
  disk: DiskStats | null
  descriptors: DescriptorState | null
  pool: PoolFigures
  accounts: AccountsState & { unwritten: { requests: number; seconds: number } }
  lastRecords: Record<Venue, { timestampMs: number; ageSeconds: number } | null>
}

export async function readService(sources: ServiceSources): Promise<ServiceReading> {
  const lastRecords = readLastRecords(sources)
  const store = attempt(sources.storeStats)
  return {
    isReadable: lastRecords !== null && (sources.storeStats === null || store !== null),
    store,
    disk: attempt(sources.diskStats),
    descriptors: attempt(sources.descriptors),
    pool: sources.workers.figures(),
    accounts: { ...(await sources.probe.state()), unwritten: sources.accounts.unwritten() },
    lastRecords: lastRecords ?? { polymarket: null, kalshi: null },
  }
}

function readLastRecords({ catalogue, nowMs }: ServiceSources): ServiceReading['lastRecords'] | null {
  const entries = attempt(() =>
    VENUES.map((venue) => {
      const timestampMs = catalogue.lastRecordMs(venue)
      if (timestampMs === null) return [venue, null]
      return [venue, { timestampMs, ageSeconds: Math.max(0, (nowMs() - timestampMs) / 1000) }]
    }),
  )
  return entries === null ? null : (Object.fromEntries(entries) as ServiceReading['lastRecords'])
}

function attempt<T>(read: (() => T) | null): T | null {
  try {
    return read?.() ?? null
  } catch {
    return null
  }
}
