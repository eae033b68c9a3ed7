// Follows one market for all its listeners: reads appended records once, however many listeners there are.

import type { Catalogue } from '../../storage/catalogue.ts'
import { CHANNELS, type Channel, type Followed } from '../../workers/follow/follow-request.ts'
import type { Workers } from '../../workers/requests.ts'
import type { VenueMarket } from '../http/parameters/venue-markets.ts'
import { askPiece, type FollowedPiece } from './followed-piece.ts'

export interface MarketListener {
  readonly channels: readonly Channel[]
  /** Receives a piece. The follower's place is already at the end of the piece. */
  piece(follower: MarketFollower, piece: FollowedPiece): void
}

type Dependencies = { catalogue: Pick<Catalogue, 'revision'>; workers: Pick<Workers, 'ask'> }

export class MarketFollower {
  readonly of: VenueMarket
  readonly listeners = new Set<MarketListener>()
  readonly #dependencies: Dependencies
  /** Null before the first read. */
  #place: Followed | null = null
  #revision = -1
  #advancing: Promise<void> | undefined

  constructor(of: VenueMarket, dependencies: Dependencies) {
    this.of = of
    this.#dependencies = dependencies
  }

  get place(): Followed | null {
    return this.#place
  }

  /** Revision of the market when it was last read to the end; -1 before the first time. */
  get revision(): number {
    return this.#revision
  }

  /** Whether the market has changed since it was last read to the end. */
  async isBehind(): Promise<boolean> {
    const { venue, market } = this.of
    return (await this.#dependencies.catalogue.revision(venue, market)).revision !== this.#revision
  }

  /** Reads to the end of the stored records, and passes the pieces to the listeners. Rejects with DataError. */
  advance(): Promise<void> {
    this.#advancing ??= this.#advance().finally(() => {
      this.#advancing = undefined
    })
    return this.#advancing
  }

  async #advance(): Promise<void> {
    for (;;) {
      const channels = this.#channels()
      const piece = await askPiece(this.#dependencies.workers, { ...this.of, channels, from: this.#place })
      // A listener that was added meanwhile may want channels that were not requested: reads again.
      if (this.#channels().some((channel) => !channels.includes(channel))) continue
      const isFirst = this.#place === null
      this.#place = piece.to
      if (!isFirst) for (const listener of this.listeners) listener.piece(this, piece)
      if (!piece.isEnd) continue
      this.#revision = piece.revision
      return
    }
  }

  /** Returns the channels that any listener wants. */
  #channels(): Channel[] {
    const wanted = new Set([...this.listeners].flatMap(({ channels }) => channels))
    return CHANNELS.filter((channel) => wanted.has(channel))
  }
}
