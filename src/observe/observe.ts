// What an app is watched with, beyond counting its requests. Everything is optional.

import type { ExchangeObserver } from './exchange.ts'
import type { OutsideSources } from './stats/service-reading.ts'
import type { TaskStats } from './stats/task-stats.ts'

export type Observe = OutsideSources & {
  tasks?: TaskStats
  /** They see every request: the access log, traces. */
  observers?: readonly ExchangeObserver[]
  /** The address of a request's client, for the observers. */
  addressOf?: (request: Request) => string | null
}
