// Finds where the sequence numbers of a connection step back: the recorder has connected anew, and every subscription
// is numbered from the start. Plain state, so that a later append goes on from it.

export class SequenceSteps {
  readonly #last: Map<number, number>
  #sid = -1
  #seq = -1

  /** `last` are the last numbers of each subscription. */
  constructor(last: readonly (readonly [sid: number, seq: number])[]) {
    this.#last = new Map(last)
  }

  /** Takes the number of the next record, below 0 without one; returns whether it steps back. */
  isStepBack(sid: number, seq: number): boolean {
    if (sid < 0 || seq < 0) return false
    if (sid !== this.#sid) {
      this.#keep()
      this.#sid = sid
      this.#seq = this.#last.get(sid) ?? 0
    }
    const isBack = seq < this.#seq
    if (isBack) this.#last.clear()
    this.#seq = seq
    return isBack
  }

  state(): [sid: number, seq: number][] {
    this.#keep()
    return [...this.#last]
  }

  #keep(): void {
    if (this.#sid >= 0) this.#last.set(this.#sid, this.#seq)
  }
}
