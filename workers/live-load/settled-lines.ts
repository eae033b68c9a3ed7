// Finds which lines of a flush can be committed. The lines of the last instant wait, so that two equal messages that a
// venue sends at once stay in one part of the capture. In two parts they would count as one message received twice.

const LINE_FEED = 0x0a
const INSTANT_NS = 250_000_000n
/** Number of bytes at the start of a line that always contain its clocks. */
const CLOCKS_BYTES = 96
const CLOCKS = /^\{"recv_ns":(?:\d+|null),"mono_ns":(\d+),/

/** Returns the start of the lines that were received within a quarter of a second before the last line; the end of
 *  `lines` if no line has a clock. */
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
