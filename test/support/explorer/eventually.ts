// Waits until a page has changed: it draws some time after a key press or an answer.

import { WAIT_MS } from './browser.ts'

const PAUSE_MS = 50

/** Repeats a check until it does not throw. In the end, throws the error of the last check. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  for (const endMs = performance.now() + WAIT_MS; ; ) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() >= endMs) throw error
    }
    await Bun.sleep(PAUSE_MS)
  }
}
