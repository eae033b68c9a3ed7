// Writes REST bodies with metadata of markets. Each venue has a segment for them, beside those of its sockets.

import type { Venue } from '../../../storage/venue.ts'
import { type OpenSegment, SegmentKeeper } from '../segments/segment-keeper.ts'
import type { Clock } from '../time/clock.ts'

export class RestBodies {
  readonly #venue: Venue
  readonly #openSegment: OpenSegment
  readonly #clock: Pick<Clock, 'wallNs'>
  #keeper: SegmentKeeper | undefined
  /** Bodies that wait for a segment to be opened. */
  #waiting: { body: string; receivedNs: bigint }[] = []
  #isClosed = false

  constructor(venue: Venue, openSegment: OpenSegment, clock: Pick<Clock, 'wallNs'>) {
    this.#venue = venue
    this.#openSegment = openSegment
    this.#clock = clock
  }

  get pendingLength(): number {
    return this.#waiting.reduce((sum, { body }) => sum + body.length, this.#keeper?.pendingLength ?? 0)
  }

  keep(body: string, receivedNs: bigint): void {
    if (this.#keeper === undefined) this.#waiting.push({ body, receivedNs })
    else this.#keeper.segment.rest(body, receivedNs)
  }

  /** Writes the waiting bodies. Throws disk errors. */
  flush(): void {
    if (this.#keeper === undefined && this.#waiting.length > 0) {
      const header = { venue: this.#venue, connection: `${this.#venue}-rest`, url: '', useYesPrice: null } as const
      const machine = { ...header, clock: 'machine' } as const
      this.#keeper = new SegmentKeeper(this.#openSegment, machine, this.#clock, () => undefined)
      for (const { body, receivedNs } of this.#waiting.splice(0)) this.#keeper.segment.rest(body, receivedNs)
    }
    if (this.#isClosed) this.#keeper?.close({ because: 'end' })
    else this.#keeper?.flush()
    if (this.#isClosed) this.#keeper = undefined
  }

  /** Drops all waiting bodies: discovery requests them again. Returns their number. */
  overflow(): number {
    const waiting = this.#waiting.splice(0).length
    return waiting + (this.#keeper?.overflow() ?? 0)
  }

  /** Makes the next `flush` close the segment. */
  stop(): void {
    this.#isClosed = true
  }
}
