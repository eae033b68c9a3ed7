// Whether messages of a subscription are missing. Kalshi numbers what it sends of a `sid` from 1 on, snapshots, deltas,
// trades and replies alike, over all markets of it. A `sid` is of one connection: another has the same numbers anew.

/** `next` is as it should be. A `duplicate` was sent before. After a `hole` the numbering goes on from what came, so
 *  that it is reported once. */
export type SequenceVerdict = 'next' | 'duplicate' | { expected: number; got: number }

export class SequenceTracker {
  readonly #last = new Map<number, number>()

  accept(sid: number, seq: number): SequenceVerdict {
    const last = this.#last.get(sid) ?? 0
    if (seq <= last) return 'duplicate'
    this.#last.set(sid, seq)
    return seq === last + 1 ? 'next' : { expected: last + 1, got: seq }
  }

  /** The subscription has ended: the venue may give its number to another, which begins at 1. */
  forget(sid: number): void {
    this.#last.delete(sid)
  }
}
