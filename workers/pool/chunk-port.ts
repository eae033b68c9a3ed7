// How a long answer crosses threads: chunks over a port, each paid for with a credit, so that a slow client slows the
// task that makes them and nothing piles up in between.
//
//   task ── head ──►  server          the answer's figures; the response can begin
//        ◄─ credit ─                  one more chunk may be sent (some are granted from the start)
//        ── chunk ─►
//        ── end ───►                  or `failure`: the response is broken off
//        ◄─ cancel ─                  the client has left

import type { MessagePort } from 'node:worker_threads'
import type { ChunkedAnswer } from './answer-heads.ts'
import type { Failure } from './outcome.ts'

/** Chunks that may be under way at once. */
export const CREDITS = 2

export type FromTask<Head> =
  | { type: 'head'; head: Head }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'failure'; failure: Failure | null }

export type ToTask = 'credit' | 'cancel'

/** A client that was waited for so long in all is slow. */
const PATIENCE_MS = 100

/** What is done when a client turns out to be slow: the rest of its answer may be changed into another form. */
export type OnSlow = (rest: Iterator<Uint8Array>) => Promise<Iterator<Uint8Array>>

/** The task's end. Resolves when all chunks are sent, or the other side has cancelled. */
export async function sendChunks<Head>(
  port: MessagePort,
  { head, chunks }: ChunkedAnswer<Head>,
  onSlow: OnSlow,
): Promise<void> {
  let rest = chunks
  let waitedMs = 0
  let isSlow = false
  let credits = CREDITS
  let isCancelled = false
  let wake = () => {}
  port.on('message', (message: ToTask) => {
    if (message === 'cancel') isCancelled = true
    else credits++
    wake()
  })
  post(port, { type: 'head', head })
  for (let next = rest.next(); !next.done; next = rest.next()) {
    while (credits === 0 && !isCancelled) {
      const sinceMs = performance.now()
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await (isSlow ? woken : inTime(woken, PATIENCE_MS - waitedMs))
      waitedMs += performance.now() - sinceMs
      if (isSlow || waitedMs < PATIENCE_MS || isCancelled) continue
      isSlow = true
      rest = await onSlow(rest)
    }
    if (isCancelled) return
    credits--
    post(port, { type: 'chunk', bytes: next.value }, [next.value.buffer as ArrayBuffer])
    // Short requests on the same thread get their turn between two chunks.
    await new Promise((resolve) => setImmediate(resolve))
  }
  post(port, { type: 'end' })
}

/** Resolves with `event`, or when so much time has passed. */
async function inTime(event: Promise<void>, ms: number): Promise<void> {
  const passed = Promise.withResolvers<void>()
  const timer = setTimeout(passed.resolve, ms)
  await Promise.race([event, passed.promise])
  clearTimeout(timer)
}

function post<Head>(port: MessagePort, message: FromTask<Head>, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}
