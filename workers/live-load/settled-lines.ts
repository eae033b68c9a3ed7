// Which lines of a flush can be committed: those of its last instant wait, so that what a venue says twice at once is
// one part of a capture, and not two that are taken for the same thing seen twice.

const LINE_FEED = 0x0a
const INSTANT_NS = 250_000_000n
/** Longer than the clocks of a line. */
const CLOCKS_BYTES = 96
const CLOCKS = /^\{"recv_ns":(?:\d+|null),"mono_ns":(\d+),/

/** Where the lines begin that were received within a quarter of a second before the last; the end where none has a
 *  clock. */
export function settledEnd(lines: Uint8Array): number {
  let lastNs: bigint | undefined
  let settled = lines.length
  for (let end = lines.length; end > 0; ) {
    const start = lines.lastIndexOf(LINE_FEED, end - 2) + 1
    const monoNs = monoOf(lines, start)
    if (monoNs !== undefined) {
      lastNs ??= monoNs
      if (monoNs <= lastNs - INSTANT_NS) return settled
      settled = start
    }
    end = start
  }
  return settled
}

const decoder = new TextDecoder('latin1')

function monoOf(lines: Uint8Array, start: number): bigint | undefined {
  const clocks = CLOCKS.exec(decoder.decode(lines.subarray(start, start + CLOCKS_BYTES)))
  return clocks === null ? undefined : BigInt(clocks[1]!)
}
