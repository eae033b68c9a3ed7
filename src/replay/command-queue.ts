// Commands of a client, one after the other, and nothing is played meanwhile: what a command sends (a book as at the
// present moment) stands before the records that follow it.

import type { Player } from './player.ts'

/** A client that sends more at once is closed. */
const WAITING_MAX = 1_000

export class CommandQueue {
  readonly #player: Pick<Player, 'hold' | 'release'>
  readonly #onFailure: (error: unknown) => void
  #waiting = 0
  #last: Promise<void> = Promise.resolve()

  constructor(player: Pick<Player, 'hold' | 'release'>, onFailure: (error: unknown) => void) {
    this.#player = player
    this.#onFailure = onFailure
  }

  /** False where too many wait. */
  add(run: () => Promise<void>): boolean {
    if (this.#waiting >= WAITING_MAX) return false
    this.#waiting++
    this.#player.hold()
    this.#last = this.#last
      .then(run)
      .catch(this.#onFailure)
      .finally(() => {
        this.#waiting--
        this.#player.release()
      })
    return true
  }
}
