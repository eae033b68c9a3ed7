// Waits for what a page shows later: it draws after a key was pressed, and after an answer came.

import { expect } from 'bun:test'
import { WAIT_MS } from './browser.ts'

const PAUSE_MS = 50

/** Reads until that equals `expected`; fails with what was read last. */
export async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const endMs = performance.now() + WAIT_MS
  let seen = await read()
  while (!Bun.deepEquals(seen, expected) && performance.now() < endMs) {
    await Bun.sleep(PAUSE_MS)
    seen = await read()
  }
  expect(seen).toEqual(expected)
}
