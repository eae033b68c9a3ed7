// Many short pieces of a body as few longer ones: each that is sent costs the runtime a round.

const ENOUGH_BYTES = 128 * 1_024

/** Pieces that are long already are passed on as they are. */
export async function* joinedChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  const taken = () => {
    const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, length)
    waiting = []
    length = 0
    return bytes
  }
  for await (const piece of pieces) {
    if (length > 0 && length + piece.length > ENOUGH_BYTES) yield taken()
    waiting.push(piece)
    length += piece.length
    if (length >= ENOUGH_BYTES) yield taken()
  }
  if (length > 0) yield taken()
}
