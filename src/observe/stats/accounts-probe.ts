// Whether the accounts database answers. It is asked once a second at most, and nobody waits longer than that for it.

import { within } from '../../accounts/sql/accounts-unavailable.ts'

const ANSWER_MS_MAX = 1_000
/** For so long one answer serves everybody. */
const KEPT_MS = 1_000

export type AccountsState = { isUp: boolean; answerMs: number | null }

export class AccountsProbe {
  readonly #check: () => Promise<void>
  #state: Promise<AccountsState> | undefined
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(check: () => Promise<void>) {
    this.#check = check
  }

  state(): Promise<AccountsState> {
    const nowMs = performance.now()
    if (this.#state === undefined || nowMs - this.#askedMs >= KEPT_MS) {
      this.#askedMs = nowMs
      this.#state = within(ANSWER_MS_MAX, this.#check()).then(
        () => ({ isUp: true, answerMs: performance.now() - nowMs }),
        () => ({ isUp: false, answerMs: null }),
      )
    }
    return this.#state
  }
}
