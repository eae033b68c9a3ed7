// Asking again for what failed: whoever keeps answers forgets its failures when this rises.

import { signal } from '@preact/signals'

export const attempts = signal(0)

export const askAgain = (): void => {
  attempts.value++
}
