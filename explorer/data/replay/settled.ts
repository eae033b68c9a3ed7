// An answer that is kept, as a promise: for what happens once and is not drawn. An old one is waited out.

import { effect } from '@preact/signals'
import type { Entry } from '../kept.ts'

/** `read` takes the answer. Resolves to null where it failed. */
export function settled<T>(read: () => Entry<T>): Promise<T | null> {
  return new Promise((done) => {
    let isDone = false
    const stop = effect(() => {
      const { value, failure, isOld } = read()
      if (isDone || isOld || (value === null && failure === null)) return
      isDone = true
      done(value)
      queueMicrotask(() => stop())
    })
  })
}
