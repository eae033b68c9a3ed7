// Yields answers one after the other, and makes some of them ahead of their turn, so that all threads have work.

/** Yields the answers in their order, and begins up to `ahead` of them early. `begin` starts an answer; the `turn` that
 *  it gets resolves when the previous answer was read completely, and rejects if the consumer has stopped. `leave`
 *  releases answers that were started but never read. */
export async function* inTurn<T>(
  count: number,
  ahead: number,
  { begin, leave }: { begin: (index: number, turn: Promise<void>) => Promise<T>; leave: (answer: T) => void },
): AsyncGenerator<T> {
  const started: { answer: Promise<T>; turn: PromiseWithResolvers<void> }[] = []
  let next = 0
  try {
    for (let index = 0; index < count; index++) {
      while (next < count && next <= index + ahead) {
        const turn = Promise.withResolvers<void>()
        const answer = begin(next++, turn.promise)
        // A failure is thrown only when the turn of its answer comes.
        for (const each of [answer, turn.promise]) each.catch(() => undefined)
        started.push({ answer, turn })
      }
      const { answer, turn } = started.shift()!
      turn.resolve()
      yield await answer
    }
  } finally {
    for (const { answer, turn } of started) {
      turn.reject(new Error('the answer is no longer needed'))
      void answer.then(leave, () => undefined)
    }
  }
}
