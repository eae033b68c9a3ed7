// Objects and databases whose user is killed at one of its calls: before the call has done anything, or after it has,
// when no one receives the answer any more.

export class Killed extends Error {}

export type Kill = {
  /** The number of the call, from 1. */
  at: number
  when: 'before' | 'after'
  /** Counts the calls. */
  calls: number
}

export function killedAt<T extends object>(target: T, kill: Kill): T {
  return new Proxy(target, {
    get(of, name) {
      const method = Reflect.get(of, name) as unknown
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        kill.calls++
        const isHere = kill.calls === kill.at
        if (kill.calls > kill.at || (isHere && kill.when === 'before')) throw new Killed()
        const answer = method.apply(of, given) as unknown
        if (!isHere || !(answer instanceof Promise)) return answer
        return answer.then(() => {
          throw new Killed()
        })
      }
    },
  })
}
