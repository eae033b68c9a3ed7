// Finds connections that send requests without waiting for the answers (HTTP pipelining). As long as such a connection
// sends, the runtime reads it within one turn of the event loop, and answers no other client.

/** Pipelined requests answered per turn, over all connections. */
export const PIPELINED_MAX = 100
/** In a turn longer than this, each pipelining connection is closed. */
const TURN_MS = 50
/** The first request of a turn whose peer is checked, counted from 1. Most turns have fewer requests, which are only
 *  counted. */
const UNSEEN = 4

export type Peer = { address: string; port: number } | null

/** Measures the turns of the event loop. */
export type Turns = { nowMs(): number; atEnd(callback: () => void): void }

const EVENT_LOOP: Turns = { nowMs: () => performance.now(), atEnd: setImmediate }

export class Pipelining {
  readonly #turns: Turns
  #requests = 0
  #pipelined = 0
  #sinceMs = 0
  #last: Peer = null

  constructor(turns = EVENT_LOOP) {
    this.#turns = turns
  }

  /** Counts a request. Returns true if its connection must close after the answer. */
  isTooMuch(peer: () => Peer): boolean {
    this.#requests += 1
    if (this.#requests < UNSEEN) return false
    if (this.#requests === UNSEEN) this.#inspect()
    const [last, next] = [this.#last, peer()]
    this.#last = next
    // A client that waits for answers sends one request per turn.
    if (next === null || next.port !== last?.port || next.address !== last.address) return false
    this.#pipelined += 1
    return this.#pipelined > PIPELINED_MAX || this.#turns.nowMs() - this.#sinceMs > TURN_MS
  }

  /** Starts the measurement of this turn, and resets it at the turn's end. */
  #inspect(): void {
    this.#sinceMs = this.#turns.nowMs()
    this.#turns.atEnd(() => {
      this.#requests = 0
      this.#pipelined = 0
      this.#last = null
    })
  }
}
