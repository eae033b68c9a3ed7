// Sends an answer in one piece if it is short: a message per chunk costs more than writing a few hundred kilobytes.

import type { AnswerChunks } from '../chunked-answer.ts'

/** Maximum number of bytes that are sent in one piece. This much stays in memory if the client takes nothing. */
export const WHOLE_MAX = 2 ** 20

/** Returns all chunks in one piece, in its own buffer. If they are longer than `WHOLE_MAX`, returns the chunks. */
export function wholeAnswer(chunks: AnswerChunks): { bytes: Uint8Array } | { chunks: AnswerChunks } {
  const taken: Uint8Array[] = []
  let length = 0
  while (length <= WHOLE_MAX) {
    const next = chunks.next()
    if (next.done) return { bytes: joined(taken, length) }
    taken.push(next.value)
    length += next.value.length
  }
  return { chunks: prepend(taken, chunks) }
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    // Free the chunk's buffer now: the garbage collector would free the memory of hundreds of answers too late.
    ;(chunk.buffer as ArrayBuffer).transfer(0)
  }
  return bytes
}

/** Returns the chunks taken already, then the rest. */
function prepend(taken: Uint8Array[], rest: AnswerChunks): AnswerChunks {
  const next = () => (taken.length > 0 ? { done: false as const, value: taken.shift()! } : rest.next())
  return rest.packParts === undefined ? { next } : { next, packParts: (pack) => rest.packParts?.(pack) }
}
