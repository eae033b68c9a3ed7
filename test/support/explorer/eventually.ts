// Waits for what a page shows later: it draws after a key was pressed, and after an answer came.

import { WAIT_MS } from './browser.ts'

const PAUSE_MS = 50

/** Checks until nothing is thrown; throws what the last check threw. */
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
