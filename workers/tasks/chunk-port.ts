// How a long answer crosses threads: chunks over a port, each paid for with a credit, so that a slow client slows the
// task that makes them and nothing piles up in between.
//
//   task ── head ──►  server          the answer's figures; the response can begin
//        ◄─ credit ─                  one more chunk may be sent (some are granted from the start)
//        ── chunk ─►
//        ── end ───►                  or `failure`: the response is broken off
//        ◄─ cancel ─                  the client has left

import type { MessagePort } from 'node:worker_threads'
import type { Failure } from './outcome.ts'

/** Chunks that may be under way at once. */
export const CREDITS = 3

export type FromTask<Head> =
  | { type: 'head'; head: Head }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'failure'; failure: Failure | null }

export type ToTask = 'credit' | 'cancel'

/** The task's end. Resolves when all chunks are sent, or the other side has cancelled. */
export async function sendChunks<Head>(port: MessagePort, head: Head, chunks: Iterator<Uint8Array>): Promise<void> {
  let credits = CREDITS
  let isCancelled = false
  let wake = () => {}
  port.on('message', (message: ToTask) => {
    if (message === 'cancel') isCancelled = true
    else credits++
    wake()
  })
  post(port, { type: 'head', head })
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    while (credits === 0 && !isCancelled) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (isCancelled) return
    credits--
    post(port, { type: 'chunk', bytes: next.value }, [next.value.buffer as ArrayBuffer])
    // Short requests on the same thread get their turn between two chunks.
    await new Promise((resolve) => setImmediate(resolve))
  }
  post(port, { type: 'end' })
}

function post<Head>(port: MessagePort, message: FromTask<Head>, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}
