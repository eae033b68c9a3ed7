// Makes a call of an object throw `Killed`, as if the process had been killed: before the call does anything, or
// after its work but before it answers. All later calls throw too.

export class Killed extends Error {}

export type Kill = {
  /** The number of the call that kills, from 1. */
  at: number
  when: 'before' | 'after'
  /** Number of calls so far. */
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
