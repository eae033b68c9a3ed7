// Joins many short pieces of a body into a few longer pieces, because the runtime sends each piece at a fixed cost.

const ENOUGH_BYTES = 128 * 1_024

/** Yields the joined pieces. Long pieces pass unchanged. */
export async function* joinedChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  const takeWaiting = () => {
    const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, length)
    waiting = []
    length = 0
    return bytes
  }
  for await (const piece of pieces) {
    if (length > 0 && length + piece.length > ENOUGH_BYTES) yield takeWaiting()
    waiting.push(piece)
    length += piece.length
    if (length >= ENOUGH_BYTES) yield takeWaiting()
  }
  if (length > 0) yield takeWaiting()
}
