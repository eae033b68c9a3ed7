// Bodies of REST that say what markets are: each venue has a segment for them, beside those of its sockets.

import type { Venue } from '../../../storage/venue.ts'
import { type OpenSegment, SegmentKeeper } from '../segments/segment-keeper.ts'

export class RestBodies {
  readonly #venue: Venue
  readonly #openSegment: OpenSegment
  readonly #nowNs: () => bigint
  #keeper: SegmentKeeper | undefined
  /** What no segment could be opened for. */
  #waiting: { body: string; receivedNs: bigint }[] = []
  #isClosed = false

  constructor(venue: Venue, openSegment: OpenSegment, nowNs: () => bigint) {
    this.#venue = venue
    this.#openSegment = openSegment
    this.#nowNs = nowNs
  }

  get pendingLength(): number {
    return this.#waiting.reduce((sum, { body }) => sum + body.length, this.#keeper?.pendingLength ?? 0)
  }

  keep(body: string, receivedNs: bigint): void {
    if (this.#keeper === undefined) this.#waiting.push({ body, receivedNs })
    else this.#keeper.segment.rest(body, receivedNs)
  }

  /** Throws what the disk says. */
  flush(): void {
    if (this.#keeper === undefined && this.#waiting.length > 0) {
      const header = { venue: this.#venue, connection: `${this.#venue}-rest`, url: '', useYesPrice: null } as const
      const surroundings = { nowNs: this.#nowNs, begin: () => undefined }
      this.#keeper = new SegmentKeeper(this.#openSegment, { ...header, clock: 'machine' }, surroundings)
      for (const { body, receivedNs } of this.#waiting.splice(0)) this.#keeper.segment.rest(body, receivedNs)
    }
    if (this.#isClosed) this.#keeper?.close({ because: 'end' })
    else this.#keeper?.flush()
    if (this.#isClosed) this.#keeper = undefined
  }

  /** Forgets what waits for the disk: discovery asks again. How many lines that were. */
  overflow(): number {
    const waiting = this.#waiting.splice(0).length
    return waiting + (this.#keeper?.overflow() ?? 0)
  }

  /** `flush` closes it. */
  stop(): void {
    this.#isClosed = true
  }
}
