// Limits how many operations run at a time; the others wait in the order in which they came.

export class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Waits for a turn. Resolves to a function that ends the turn and must be called once. Rejects if the signal aborts
   *  first. */
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

  /** Takes a turn at once and returns the function that ends it. Returns null if all turns are taken. */
  takeNow(): (() => void) | null {
    if (this.#free === 0) return null
    this.#free--
    return this.#end
  }

  /** Ends a turn, and passes it to the operation that has waited longest. */
  readonly #end = () => {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
