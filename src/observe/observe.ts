// What an app is watched with beyond counting its requests. Everything may be left out.

import type { StoreFigures } from '../../storage/lmdb/store-figures.ts'
import type { ExchangeObserver } from './exchange.ts'
import type { DescriptorState } from './stats/descriptor-watch.ts'
import type { DiskStats } from './stats/disk-stats.ts'
import type { TaskStats } from './stats/task-stats.ts'

export type Observe = {
  tasks?: TaskStats
  storeStats?: () => StoreFigures
  diskStats?: () => DiskStats
  descriptors?: () => DescriptorState
  /** Requests whose answers are being made or sent. */
  pendingRequests?: () => number
  /** Told of every request: the access log, traces. */
  observers?: readonly ExchangeObserver[]
  /** The address of a request's client, for them. */
  addressOf?: (request: Request) => string | null
}
