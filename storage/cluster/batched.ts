// Batches small queries: while one request is under way, new queries wait and are then sent as one.

const AT_ONCE_MAX = 1_000

export class Batched<Question, Answer> {
  readonly #ask: (questions: Question[]) => Promise<Answer[]>
  #waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = []
  #isAsking = false

  /** `ask` sends a batch of queries and returns the answers in the same order. */
  constructor(ask: (questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask
  }

  /** Answers a query. The answer is read after the call, so it is never older than the call. */
  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ question, resolve, reject })
    if (!this.#isAsking) void this.#askAll()
    return promise
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    // Waits, so that the first batch has all queries of this turn of the event loop.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, AT_ONCE_MAX)
      try {
        const answers = await this.#ask(batch.map(({ question }) => question))
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isAsking = false
  }
}
