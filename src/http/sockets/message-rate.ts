// Limits the messages of a client on a connection, since each message takes time from other clients.

/** Messages answered in a burst, and per second after that; a long message counts as several. */
const [AT_ONCE_MAX, PER_SECOND] = [1_000, 100]
const LENGTH_OF_ONE = 4_096
/** Number of messages above the limit that are refused one by one. After that, the connection is closed. */
const REFUSED_MAX = 10_000

/** Close code and reason for a client above the limit. */
export const TOO_MANY = [1008, 'too many messages, or answers that were not read'] as const

export class MessageRate {
  readonly #nowMs: () => number
  #countedMs: number
  #allowed = AT_ONCE_MAX

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#countedMs = nowMs()
  }

  /** Counts a message and returns whether to answer it, refuse it, or end the connection (`over`). */
  take({ length }: string | Uint8Array): 'answered' | 'refused' | 'over' {
    const nowMs = this.#nowMs()
    const gained = ((nowMs - this.#countedMs) / 1_000) * PER_SECOND
    this.#allowed = Math.min(AT_ONCE_MAX, this.#allowed + gained) - 1 - Math.floor(length / LENGTH_OF_ONE)
    this.#countedMs = nowMs
    if (this.#allowed >= 0) return 'answered'
    return this.#allowed < -REFUSED_MAX ? 'over' : 'refused'
  }
}
