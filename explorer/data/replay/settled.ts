// Turns a cached answer into a promise, for code that runs once and does not draw. Waits until an old answer is
// renewed.

import { effect } from '@preact/signals'
import type { Entry } from '../answer-cache.ts'

/** `read` returns the entry. Resolves to null if the request failed. */
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
