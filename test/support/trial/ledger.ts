// What venues sent while they were recorded. Each message has its own number in its text. For each message, the ledger
// holds when it was sent, for which books, and to how many connections.

const GROWTH = 2

/** The books of a market that a message belongs to, as bits. The first book is a ticker of Kalshi, or the first
 *  token. */
export const BOOKS = { first: 1, second: 2, both: 3 } as const
export type Books = (typeof BOOKS)[keyof typeof BOOKS]

export class Ledger {
  #count = 0
  #atMs = new Float64Array(1 << 16)
  #market = new Uint16Array(1 << 16)
  #books = new Uint8Array(1 << 16)
  #deliveries = new Uint8Array(1 << 16)
  #repeats = new Uint8Array(1 << 16)

  /** Number of messages sent. */
  get count(): number {
    return this.#count
  }

  /** Adds a message that is about to be sent. Returns its number. */
  add(market: number, books: Books, atMs: number): number {
    if (this.#count === this.#atMs.length) this.#grow()
    const n = this.#count++
    this.#atMs[n] = atMs
    this.#market[n] = market
    this.#books[n] = books
    return n
  }

  /** Notes that message `n` was written to `connections` connections, `times` times to each. */
  delivered(n: number, connections: number, times = 1): void {
    this.#deliveries[n]! += connections
    if (connections > 0) this.#repeats[n] = Math.max(this.#repeats[n]!, times)
  }

  atMs(n: number): number {
    return this.#atMs[n]!
  }

  market(n: number): number {
    return this.#market[n]!
  }

  books(n: number): number {
    return this.#books[n]!
  }

  deliveries(n: number): number {
    return this.#deliveries[n]!
  }

  /** Returns the maximum number of times that one connection received the message. */
  timesMax(n: number): number {
    return this.#repeats[n]!
  }

  get deliveredCount(): number {
    let count = 0
    for (let n = 0; n < this.#count; n++) if (this.#deliveries[n]! > 0) count++
    return count
  }

  #grow(): void {
    const size = this.#atMs.length * GROWTH
    const grown = <T extends Float64Array | Uint16Array | Uint8Array>(made: T, old: T): T => {
      made.set(old)
      return made
    }
    this.#atMs = grown(new Float64Array(size), this.#atMs)
    this.#market = grown(new Uint16Array(size), this.#market)
    this.#books = grown(new Uint8Array(size), this.#books)
    this.#deliveries = grown(new Uint8Array(size), this.#deliveries)
    this.#repeats = grown(new Uint8Array(size), this.#repeats)
  }
}
