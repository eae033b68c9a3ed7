// All streams of a server: a follower for each market with a listener, and a group for each query. Checks regularly
// whether markets have grown in the store, which another process may write.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { Workers } from '../../workers/requests.ts'
import type { VenueMarket } from '../http/parameters/venue-markets.ts'
import type { Accepted } from '../http/sockets/socket.ts'
import { Histogram } from '../observe/stats/histogram.ts'
import type { StreamStats } from '../observe/stats/stream-stats.ts'
import { MarketFollower } from './market-follower.ts'
import { StreamGroup } from './stream-group.ts'
import type { Place, StreamPositions } from './stream-position.ts'
import type { StreamQuery } from './stream-query.ts'
import { isPassing, StreamSession } from './stream-session.ts'

/** How often followed markets are checked: a commit is seen within this time. */
const CHECK_EVERY_MS = 250
const LAG_BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]

type Dependencies = {
  catalogue: Pick<Catalogue, 'revision'>
  workers: Pick<Workers, 'ask'>
  /** Bytes that may wait for a subscriber before it is disconnected. */
  waitingBytesMax: number
  elapsedMs?: () => number
}

type Group = { group: StreamGroup; subscribers: number }

export class StreamHub {
  readonly stats: StreamStats = {
    subscribers: { websocket: 0, events: 0 },
    markets: 0,
    messages: 0,
    slow: 0,
    lag: new Histogram(LAG_BOUNDS_SECONDS),
  }
  readonly #dependencies: Dependencies
  readonly #followers = new Map<string, MarketFollower>()
  readonly #groups = new Map<string, Group>()
  #timer: Timer | undefined

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Accepts a subscriber. `places` has the place at which each market of the query continues. */
  accept(
    kind: keyof StreamStats['subscribers'],
    query: StreamQuery,
    positions: StreamPositions,
    places: Place[],
  ): Accepted {
    const { subscribers } = this.stats
    const key = JSON.stringify([query.markets, query.event, query.channels])
    const entry = this.#groups.get(key) ?? this.#addGroup(key, query, positions)
    entry.subscribers++
    subscribers[kind]++
    const { catalogue, workers } = this.#dependencies
    const means = { catalogue, workers, pause: () => Bun.sleep(CHECK_EVERY_MS) }
    const onClose = () => {
      subscribers[kind]--
      entry.subscribers--
      if (entry.subscribers === 0) this.#removeGroup(key, entry.group)
    }
    return { session: new StreamSession({ group: entry.group, places, means, onSent: this.#onSent, onClose }) }
  }

  /** Checks all followed markets, and reads those that have grown. */
  async check(): Promise<void> {
    await Promise.all([...this.#followers.values()].map((follower) => this.#lookAt(follower)))
  }

  async #lookAt(follower: MarketFollower): Promise<void> {
    const { elapsedMs = () => performance.now() } = this.#dependencies
    try {
      if (follower.place === null || !(await follower.isBehind())) return
      const sinceMs = elapsedMs()
      await follower.advance()
      this.stats.lag.observe((elapsedMs() - sinceMs) / 1_000)
    } catch (error) {
      // The next check tries again.
      if (isPassing(error)) return
      for (const { group } of this.#groups.values()) if (group.followers.includes(follower)) group.fail(error)
    }
  }

  readonly #onSent = (messages: number): void => {
    this.stats.messages += messages
  }

  #addGroup(key: string, { markets, channels }: StreamQuery, positions: StreamPositions): Group {
    const { waitingBytesMax } = this.#dependencies
    const onSlow = () => void this.stats.slow++
    const followers = markets.map((market) => this.#follower(market))
    const about = { channels, followers, positions, waitingBytesMax, onSent: this.#onSent, onSlow }
    const entry = { group: new StreamGroup(about), subscribers: 0 }
    for (const follower of followers) follower.listeners.add(entry.group)
    this.#groups.set(key, entry)
    this.#timer ??= setInterval(() => void this.check(), CHECK_EVERY_MS)
    return entry
  }

  #removeGroup(key: string, group: StreamGroup): void {
    this.#groups.delete(key)
    for (const follower of group.followers) {
      follower.listeners.delete(group)
      if (follower.listeners.size === 0) this.#followers.delete(nameOf(follower.of))
    }
    this.stats.markets = this.#followers.size
    if (this.#followers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #follower(of: VenueMarket): MarketFollower {
    const known = this.#followers.get(nameOf(of))
    if (known !== undefined) return known
    const follower = new MarketFollower(of, this.#dependencies)
    this.#followers.set(nameOf(of), follower)
    this.stats.markets = this.#followers.size
    return follower
  }
}

const nameOf = ({ venue, market }: VenueMarket) => `${venue}:${market}`
