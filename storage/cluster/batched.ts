// Small questions, asked together: while one is on its way, those that come wait and are asked as one.

const AT_ONCE_MAX = 1_000

export class Batched<Question, Answer> {
  readonly #ask: (questions: Question[]) => Promise<Answer[]>
  #waiting: { question: Question; tell: (answer: Answer) => void; fail: (error: unknown) => void }[] = []
  #isAsking = false

  /** `ask` answers each, in their order. */
  constructor(ask: (questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask
  }

  /** As of a moment after the call. */
  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ question, tell: resolve, fail: reject })
    if (!this.#isAsking) void this.#askAll()
    return promise
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    // Those that come in the same turn go along.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, AT_ONCE_MAX)
      try {
        const answers = await this.#ask(asked.map(({ question }) => question))
        for (const [index, { tell }] of asked.entries()) tell(answers[index]!)
      } catch (error) {
        for (const { fail } of asked) fail(error)
      }
    }
    this.#isAsking = false
  }
}
