// An answer that is sent in one piece where it is short enough: a message for each chunk costs more than a few hundred
// kilobytes take to write.

import type { AnswerChunks } from '../chunked-answer.ts'

/** Bytes of an answer in one piece: so much of it is held where its client takes nothing. */
export const WHOLE_MAX = 2 ** 20

/** All chunks in one piece, in a buffer of their own; or, where they are longer, the chunks as they were given. */
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
    // Hundreds of answers come to more memory than would be collected by itself.
    ;(chunk.buffer as ArrayBuffer).transfer(0)
  }
  return bytes
}

/** Chunks that were taken already stand before the rest. */
function prepend(taken: Uint8Array[], rest: AnswerChunks): AnswerChunks {
  const next = () => (taken.length > 0 ? { done: false as const, value: taken.shift()! } : rest.next())
  return rest.packParts === undefined ? { next } : { next, packParts: (pack) => rest.packParts?.(pack) }
}
