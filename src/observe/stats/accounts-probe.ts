// Whether the accounts database answers, asked so that nobody can tire it by asking, and an answer that never comes
// holds nobody up.

const ANSWER_MS_MAX = 1_000
/** One answer serves all who ask within so long. */
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
      this.#state = this.#ask(nowMs)
    }
    return this.#state
  }

  async #ask(askedMs: number): Promise<AccountsState> {
    const down: AccountsState = { isUp: false, answerMs: null }
    const late = Promise.withResolvers<AccountsState>()
    const timer = setTimeout(() => late.resolve(down), ANSWER_MS_MAX)
    const answered = this.#check().then(
      () => ({ isUp: true, answerMs: performance.now() - askedMs }),
      () => down,
    )
    const state = await Promise.race([answered, late.promise])
    clearTimeout(timer)
    return state
  }
}
