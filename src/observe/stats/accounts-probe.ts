// Checks whether the accounts database answers, at most once a second. A check waits at most a second.

import { within } from '../../accounts/sql/accounts-unavailable.ts'

const ANSWER_MS_MAX = 1_000
/** How long the result of a check is reused. */
const REUSED_MS = 1_000

export type AccountsState = { isUp: boolean; answerMs: number | null }

export class AccountsProbe {
  readonly #check: () => Promise<void>
  #state: Promise<AccountsState> | undefined
  #checkedMs = Number.NEGATIVE_INFINITY

  constructor(check: () => Promise<void>) {
    this.#check = check
  }

  state(): Promise<AccountsState> {
    const nowMs = performance.now()
    if (this.#state === undefined || nowMs - this.#checkedMs >= REUSED_MS) {
      this.#checkedMs = nowMs
      this.#state = within(ANSWER_MS_MAX, this.#check()).then(
        () => ({ isUp: true, answerMs: performance.now() - nowMs }),
        () => ({ isUp: false, answerMs: null }),
      )
    }
    return this.#state
  }
}
