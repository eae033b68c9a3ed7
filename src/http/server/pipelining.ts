// Finds connections that send requests without waiting for the answers (HTTP pipelining). The runtime reads such a
// connection as long as it sends, within one turn of the event loop, and answers no other client meanwhile.

/** Pipelined requests that are answered in a turn, of all connections together. */
export const PIPELINED_MAX = 100
/** A turn that lasts longer ends each connection that pipelines. */
const TURN_MS = 50
/** Requests between two looks: what most requests cost here is a count. */
const UNSEEN = 4

export type Peer = { address: string; port: number } | null

/** How a turn of the event loop is measured. */
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

  /** Counts a request. True if its connection must end with the answer. */
  isTooMuch(peer: () => Peer): boolean {
    this.#requests += 1
    if (this.#requests < UNSEEN) return false
    if (this.#requests === UNSEEN) this.#look()
    const [last, next] = [this.#last, peer()]
    this.#last = next
    // Who waits for answers sends one request in a turn.
    if (next === null || next.port !== last?.port || next.address !== last.address) return false
    this.#pipelined += 1
    return this.#pipelined > PIPELINED_MAX || this.#turns.nowMs() - this.#sinceMs > TURN_MS
  }

  /** Until the end of the turn. */
  #look(): void {
    this.#sinceMs = this.#turns.nowMs()
    this.#turns.atEnd(() => {
      this.#requests = 0
      this.#pipelined = 0
      this.#last = null
    })
  }
}
