// Answers one after the other, some of which are made before their turn, so that all threads have work.

/** `begin` is called with what resolves when it is the answer's turn, and rejects when nobody waits for it any more. An
 *  answer is asked for when all of the one before was taken. `leave` lets go of those that were begun for nobody. */
export async function* inTurn<T>(
  count: number,
  ahead: number,
  { begin, leave }: { begin: (index: number, turn: Promise<void>) => Promise<T>; leave: (answer: T) => void },
): AsyncGenerator<T> {
  const begun: { answer: Promise<T>; turn: PromiseWithResolvers<void> }[] = []
  let next = 0
  try {
    for (let index = 0; index < count; index++) {
      while (next < count && next <= index + ahead) {
        const turn = Promise.withResolvers<void>()
        const answer = begin(next++, turn.promise)
        // A failure is told in its turn.
        for (const each of [answer, turn.promise]) each.catch(() => undefined)
        begun.push({ answer, turn })
      }
      const { answer, turn } = begun.shift()!
      turn.resolve()
      yield await answer
    }
  } finally {
    for (const { answer, turn } of begun) {
      turn.reject(new Error('nobody waits for this answer any more'))
      void answer.then(leave, () => undefined)
    }
  }
}
