// The optional observers and sources of an app. The app counts its requests without them.

import type { ExchangeObserver } from './exchange.ts'
import type { OutsideSources } from './stats/service-reading.ts'
import type { TaskStats } from './stats/task-stats.ts'

export type Observe = OutsideSources & {
  tasks?: TaskStats
  /** Observer of every request, such as the access log. */
  observer?: ExchangeObserver | undefined
  /** Returns the client address of a request, for the observer. */
  addressOf?: (request: Request) => string | null
}
