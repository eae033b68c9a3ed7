// Detects missing messages of a subscription. Kalshi numbers the messages of a `sid` from 1: snapshots, deltas, trades
// and replies of all its markets. A `sid` is valid on one connection; other connections use the same numbers.

/** `next`: the expected number. `duplicate`: a number that was sent before. Otherwise numbers are missing: counting
 *  then continues from the number that came, so a hole is reported once. */
type SequenceVerdict = 'next' | 'duplicate' | { expected: number; got: number }

export class SequenceTracker {
  readonly #last = new Map<number, number>()

  accept(sid: number, seq: number): SequenceVerdict {
    const last = this.#last.get(sid) ?? 0
    if (seq <= last) return 'duplicate'
    this.#last.set(sid, seq)
    return seq === last + 1 ? 'next' : { expected: last + 1, got: seq }
  }

  /** Forgets a subscription that has ended: the venue may reuse its sid for another one, which begins at 1. */
  forget(sid: number): void {
    this.#last.delete(sid)
  }
}
