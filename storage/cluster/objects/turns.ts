// Lets a bounded number do something at a time; the others wait in the order they came.

export class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves with what ends the turn, which has to be called once. Rejects where the signal aborts before. */
  async take(signal: AbortSignal): Promise<() => void> {
    const now = this.takeNow()
    if (now !== null) return now
    await new Promise<void>((resolve, reject) => {
      this.#waiting.add(resolve)
      const leave = () => this.#waiting.delete(resolve) && reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
    })
    return this.#end
  }

  /** Null where all turns are taken. */
  takeNow(): (() => void) | null {
    if (this.#free === 0) return null
    this.#free--
    return this.#end
  }

  /** The turn of the one that ends is the next one's. */
  readonly #end = () => {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
