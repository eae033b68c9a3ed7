// Requests an answer repeatedly while a component is mounted and the page is visible. The old answer stays until the
// next one arrives.

import { useEffect, useState } from 'preact/hooks'
import type { Entry } from '../data/answer-cache.ts'
import type { Failure } from '../data/ask.ts'
import { attempts } from '../state/again.ts'

/** `name` identifies the request: a new name triggers a new request at once. */
export function usePolled<T>(name: string, load: () => Promise<T>, everyMs: number): Entry<T> {
  const [entry, setEntry] = useState<Entry<T>>({ value: null, failure: null })
  const attempt = attempts.value
  useEffect(() => {
    let isShown = true
    const ask = () =>
      void load().then(
        (value) => isShown && setEntry({ value, failure: null }),
        (failure: Failure) => isShown && setEntry(({ value }) => ({ value, failure })),
      )
    ask()
    const timer = setInterval(() => document.hidden || ask(), everyMs)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [name, attempt])
  return entry
}
