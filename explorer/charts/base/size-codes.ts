// Sizes as 16-bit codes, by their logarithm: what a table of colours is indexed with. A cut-off, a palette or a theme
// then changes the table and no cell.

/** Codes of either side; 0 is nothing. A bid's code is positive, an ask's negative. */
export const CODES = 1_023
/** The sizes of the first code and of the last, contracts. */
const SMALLEST = 0.01
const LARGEST = 1e8
const PER_LOG = (CODES - 1) / Math.log(LARGEST / SMALLEST)

/** Of a size without its sign. */
export function codeOf(size: number): number {
  if (!(size > 0)) return 0
  return Math.max(1, Math.min(CODES, 1 + Math.round(Math.log(size / SMALLEST) * PER_LOG)))
}

export function codesOf(sizes: Float32Array): Int16Array {
  const codes = new Int16Array(sizes.length)
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at]!
    if (size !== 0) codes[at] = size > 0 ? codeOf(size) : -codeOf(-size)
  }
  return codes
}
