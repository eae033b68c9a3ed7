// Lets a bounded number do something at a time; the others wait in the order they came.

export class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Runs when it is this one's turn; rejects, and never runs, where the signal aborts before. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    try {
      return await task()
    } finally {
      this.#pass()
    }
  }

  /** Runs now, or returns null where all turns are taken. */
  runNow<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> | null {
    return this.#free === 0 ? null : this.run(task, signal)
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve)
      const leave = () => this.#waiting.delete(resolve) && reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** The turn of the one that ends is the next one's. */
  #pass(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
