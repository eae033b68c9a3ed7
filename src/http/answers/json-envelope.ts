// Wraps a `data` array encoded by the workers in its envelope: head, the array's bytes unchanged, closing brace.

import type { AnswerBytes } from '../../../workers/requests.ts'
import type { Body } from './content-encoding.ts'

const encoder = new TextEncoder()
const END = encoder.encode('}')
/** Longer bodies are not copied: touching fresh memory costs more than sending another piece. */
const JOINED_MAX = 2 ** 16

/** `head` holds every field before `data`. */
export function jsonEnvelope(head: Record<string, unknown>, data: AnswerBytes): Body {
  const start = encoder.encode(`${JSON.stringify(head).slice(0, -1)},"data":`)
  if ('bytes' in data) {
    const pieces = [start, data.bytes, END]
    return data.bytes.length <= JOINED_MAX ? { bytes: joined(pieces) } : { pieces }
  }
  const { chunks, follow } = data
  return { chunks: enveloped(start, chunks), ...(follow && { follow }) }
}

async function* enveloped(start: Uint8Array, chunks: AsyncIterableIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // Waits for the first chunk before yielding anything, so that an early failure is still an error response.
    const first = await chunks.next()
    yield start
    if (!first.done) yield first.value
    yield* chunks
    yield END
  } finally {
    await chunks.return?.()
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
