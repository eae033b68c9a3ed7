// How much large work a thread has in hand at once, in whatever unit it is weighed. Who finds no room waits in line;
// small work is not weighed, and waits for nobody.

export class WorkLimit {
  readonly #max: number
  #inHand = 0
  // Weights may be fractions, whose sums and differences need not come back to 0.
  #count = 0
  readonly #waiting: { weight: number; enter: () => void }[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Resolves when there is room; to what ends the work, which may be called more than once. Work that is larger than
   *  the limit has room when nothing else is in hand. */
  async enter(weight: number): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#hasRoom(weight)) {
      await new Promise<void>((enter) => this.#waiting.push({ weight, enter }))
    } else this.#take(weight)
    let isInHand = true
    return () => {
      if (isInHand) this.#leave(weight)
      isInHand = false
    }
  }

  #take(weight: number): void {
    this.#inHand += weight
    this.#count += 1
  }

  #leave(weight: number): void {
    this.#count -= 1
    this.#inHand = this.#count === 0 ? 0 : this.#inHand - weight
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.weight); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#take(next.weight)
      next.enter()
    }
  }

  #hasRoom(weight: number): boolean {
    return this.#count === 0 || this.#inHand + weight <= this.#max
  }
}
