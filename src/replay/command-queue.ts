// Answers the commands of a client one after the other. Pauses the replay meanwhile, so that the answer (the book at
// this moment) comes before the later records. Waits while too many bytes wait for the client.

import { MessageRate } from '../http/sockets/message-rate.ts'
import type { Socket } from '../http/sockets/socket.ts'
import type { Player } from './player.ts'
import type { ReplayTimers } from './timers.ts'

/** While more sent bytes than this are unread by the client, no command is answered. */
const UNTAKEN_BYTES_MAX = 2 ** 20
/** Maximum number of waiting commands, and of their bytes together. A single waiting command may have more bytes. */
const [WAITING_MAX, WAITING_BYTES_MAX] = [1_000, 2 ** 20]

type Parts = { player: Pick<Player, 'hold' | 'release'>; timers: ReplayTimers; onFailure: (error: unknown) => void }
/** `refused`: the session may send the client an error. `over`: the connection is closed. */
type Verdict = ReturnType<MessageRate['take']>

export class CommandQueue {
  readonly #parts: Parts
  readonly #rate: MessageRate
  #socket: Pick<Socket, 'waitingBytes'> | undefined
  #waiting = 0
  #waitingBytes = 0
  #last: Promise<void> = Promise.resolve()
  #proceed: (() => void) | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rate = new MessageRate(() => parts.timers.nowMs())
  }

  open(socket: Pick<Socket, 'waitingBytes'>): void {
    this.#socket = socket
  }

  /** Must be called when the client has read sent bytes. Continues to answer commands if few bytes are unread. */
  drain(): void {
    if (!this.#isBehind) this.#proceed?.()
  }

  close(): void {
    this.#socket = undefined
    this.#proceed?.()
  }

  /** Queues a command; `run` answers it. */
  add(message: string | Uint8Array, run: () => Promise<void> | void): Verdict {
    const { length } = message
    const isFull =
      this.#waiting >= WAITING_MAX || (this.#waiting > 0 && this.#waitingBytes + length > WAITING_BYTES_MAX)
    const allowed = this.#rate.take(message)
    if (isFull || allowed !== 'answered') return this.#isBehind || allowed === 'over' ? 'over' : 'refused'
    if (this.#waiting++ === 0) this.#parts.player.hold()
    this.#waitingBytes += length
    this.#last = this.#last
      .then(() => this.#room())
      .then(run)
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#waitingBytes -= length
        if (--this.#waiting === 0) this.#parts.player.release()
      })
    return 'answered'
  }

  /** Answers a message that is not a command. Does not wait for earlier commands, unless too many bytes wait for the
   *  client: then queues the message. */
  answer(message: string | Uint8Array, send: () => void): Verdict {
    if (this.#isBehind) return this.add(message, send)
    const verdict = this.#rate.take(message)
    if (verdict === 'answered') send()
    return verdict
  }

  get #isBehind(): boolean {
    return (this.#socket?.waitingBytes() ?? 0) > UNTAKEN_BYTES_MAX
  }

  #room(): Promise<void> | undefined {
    if (!this.#isBehind) return undefined
    return new Promise((resolve) => {
      this.#proceed = resolve
    })
  }
}
