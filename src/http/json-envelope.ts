// Puts the envelope around a `data` array that the workers encoded: head, the array's bytes as they are, closing brace.

import type { JsonArray } from '../../workers/requests.ts'

const HEADERS = { 'content-type': 'application/json' }
const encoder = new TextEncoder()
const END = encoder.encode('}')

/** `head` holds every field before `data`. The first chunk is awaited, so that a failure in it is still an error
 *  response; a later failure resets the connection, since a body that merely stops would look complete. */
export async function jsonEnvelope(
  head: Record<string, unknown>,
  data: JsonArray,
  onLateFailure: (error: unknown) => void,
): Promise<Response> {
  const start = encoder.encode(`${JSON.stringify(head).slice(0, -1)},"data":`)
  if ('bytes' in data) return new Response(joined([start, data.bytes, END]), { headers: HEADERS })

  const { chunks } = data
  const first = await chunks.next()
  const parts = first.done ? [start] : [start, first.value]
  return new Response(chunkStream(parts, chunks, onLateFailure), { headers: HEADERS })
}

/** Pulls one chunk at a time: a slow client slows its worker, and does not fill the memory. */
function chunkStream(
  parts: Uint8Array[],
  chunks: AsyncIterableIterator<Uint8Array>,
  onLateFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
    },
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (!done) return controller.enqueue(value)
        controller.enqueue(END)
        controller.close()
      } catch (error) {
        onLateFailure(error)
        throw error
      }
    },
    async cancel() {
      await chunks.return?.()
    },
  })
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
