// Finds where the sequence numbers of a connection step back: the recorder has reconnected, and the numbers of every
// subscription start again. The state is plain data, so a later append can continue from it.

export class SequenceSteps {
  readonly #last: Map<number, number>
  #sid = -1
  #seq = -1

  /** `last` is the last number of each subscription. */
  constructor(last: readonly (readonly [sid: number, seq: number])[]) {
    this.#last = new Map(last)
  }

  /** Takes the numbers of the next record; they are below 0 if the record has none. Returns whether they step back. */
  isStepBack(sid: number, seq: number): boolean {
    if (sid < 0 || seq < 0) return false
    if (sid !== this.#sid) {
      this.#storeLast()
      this.#sid = sid
      this.#seq = this.#last.get(sid) ?? 0
    }
    const isBack = seq < this.#seq
    if (isBack) this.#last.clear()
    this.#seq = seq
    return isBack
  }

  state(): [sid: number, seq: number][] {
    this.#storeLast()
    return [...this.#last]
  }

  #storeLast(): void {
    if (this.#sid >= 0) this.#last.set(this.#sid, this.#seq)
  }
}
