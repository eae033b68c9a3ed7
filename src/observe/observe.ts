// What an app is watched with beyond counting its requests. Everything may be left out.

import type { StoreFigures } from '../../storage/lmdb/store-figures.ts'
import type { DescriptorState } from './descriptor-watch.ts'
import type { ExchangeObserver } from './exchange.ts'
import type { DiskFigures } from './metrics/disk-figures.ts'
import type { TaskFigures } from './metrics/task-figures.ts'

export type Observe = {
  tasks?: TaskFigures
  storeFigures?: () => StoreFigures
  diskFigures?: () => DiskFigures
  descriptors?: () => DescriptorState
  /** Requests whose answers are being made or sent. */
  pendingRequests?: () => number
  /** Told of every request: the access log, traces. */
  observers?: readonly ExchangeObserver[]
  /** The address of a request's client, for them. */
  addressOf?: (request: Request) => string | null
}
