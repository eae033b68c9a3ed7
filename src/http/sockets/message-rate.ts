// How much a client may say on a connection: each message takes time that the others wait.

/** Messages that are answered at once, and a second from then on; a long one counts as several. */
const [AT_ONCE_MAX, PER_SECOND] = [1_000, 100]
const LENGTH_OF_ONE = 4_096
/** So many more may be refused one by one, before the connection is ended. */
const REFUSED_MAX = 10_000

/** How a connection is closed whose client says more. */
export const TOO_MANY = [1008, 'too many messages, or answers that were not taken'] as const

export class MessageRate {
  readonly #nowMs: () => number
  #countedMs: number
  #allowed = AT_ONCE_MAX

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#countedMs = nowMs()
  }

  /** Counts a message, which may be answered, or refused; `over` ends the connection. */
  take({ length }: string | Uint8Array): 'answered' | 'refused' | 'over' {
    const nowMs = this.#nowMs()
    const gained = ((nowMs - this.#countedMs) / 1_000) * PER_SECOND
    this.#allowed = Math.min(AT_ONCE_MAX, this.#allowed + gained) - 1 - Math.floor(length / LENGTH_OF_ONE)
    this.#countedMs = nowMs
    if (this.#allowed >= 0) return 'answered'
    return this.#allowed < -REFUSED_MAX ? 'over' : 'refused'
  }
}
