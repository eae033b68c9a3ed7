// Sends a long answer to another thread as chunks over a port. Each chunk costs a credit, so a slow client slows down
// the task that computes the chunks, and nothing piles up in between.
//
//   task ── head ──►  server          the answer's head; the response can begin. A short answer is all here
//        ◄─ credit ─                  one more chunk may be sent (CREDITS of them from the start)
//        ── chunk ─►
//        ◄─ pack ───                  the client is slow: pack the rest
//        ── packed ►
//        ── end ───►                  or `failure`: the response breaks off
//        ◄─ cancel ─                  the client has left

import type { MessagePort } from 'node:worker_threads'
import type { ChunkedAnswer } from '../chunked-answer.ts'
import { ANSWERING, collectGarbage } from '../collect-garbage.ts'
import type { Failure } from './outcome.ts'
import { packAtOnce, packChunks } from './packed-chunks.ts'

/** Chunks that may be on their way at once. */
export const CREDITS = 2

export type FromTask<Head> =
  | { type: 'head'; head: Head; bytes?: Uint8Array }
  | { type: 'chunk'; bytes: Uint8Array }
  /** `bytes` is the packed size of the rest. It is 0 if the task keeps, instead of the rest, the smaller data that
   *  the rest is computed from. */
  | { type: 'packed'; bytes: number }
  | { type: 'end' }
  | { type: 'failure'; failure: Failure | null }

export type ToTask = 'credit' | 'pack' | 'cancel'

/** Sends the chunks from the task's side of the port. Stops when all chunks are sent or the other side has cancelled,
 *  and resolves with the number of bytes sent. */
export async function sendChunks<Head>(port: MessagePort, { head, chunks }: ChunkedAnswer<Head>): Promise<number> {
  let rest: Iterator<Uint8Array> = chunks
  let isSlow = false
  let isPacked = false
  let credits = CREDITS
  let isCancelled = false
  let sentBytes = 0
  let wake = () => {}
  port.on('message', (message: ToTask) => {
    if (message === 'cancel') isCancelled = true
    else if (message === 'pack') isSlow = true
    else credits++
    wake()
  })
  post(port, { type: 'head', head })
  for (let next = rest.next(); !next.done; next = rest.next()) {
    while (credits === 0 && !isCancelled) {
      if (isSlow && !isPacked) {
        let bytes = 0
        if (chunks.packParts !== undefined) chunks.packParts(packAtOnce)
        else ({ chunks: rest, bytes } = await packChunks(rest))
        isPacked = true
        post(port, { type: 'packed', bytes })
        collectGarbage(ANSWERING)
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    if (isCancelled) return sentBytes
    credits--
    sentBytes += next.value.length
    post(port, { type: 'chunk', bytes: next.value }, [next.value.buffer as ArrayBuffer])
    // Let short requests on the same thread run between two chunks.
    await new Promise((resolve) => setImmediate(resolve))
  }
  post(port, { type: 'end' })
  return sentBytes
}

/** Sends a whole short answer. `bytes` must have its own buffer, which is transferred. */
export function sendWhole<Head>(port: MessagePort, head: Head, bytes: Uint8Array): void {
  post(port, { type: 'head', head, bytes }, [bytes.buffer as ArrayBuffer])
}

function post<Head>(port: MessagePort, message: FromTask<Head>, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}
