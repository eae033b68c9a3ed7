// Retries failed requests: caches drop their failures when `attempts` increases.

import { signal } from '@preact/signals'

export const attempts = signal(0)

export const askAgain = (): void => {
  attempts.value++
}
