// Encodes sizes as 16-bit logarithmic codes, which index a colour table. A new cut-off, palette or theme then changes
// only the table, not the cells.

/** Number of codes per side; 0 means no size. A bid's code is positive, an ask's negative. */
export const CODES = 1_023
/** The sizes of the first and the last code, contracts. */
const SMALLEST = 0.01
const LARGEST = 1e8
const PER_LOG = (CODES - 1) / Math.log(LARGEST / SMALLEST)

/** Codes are looked up by the first bits of a 32-bit float: sign, exponent and eight bits of the fraction. This is many
 *  times faster than a logarithm per cell, and about four times finer than a code. */
const SHIFT = 15
const CODE_BY_BITS = new Int16Array(1 << (32 - SHIFT))
{
  const bits = new Int32Array(1)
  const size = new Float32Array(bits.buffer)
  for (let at = 0; at < CODE_BY_BITS.length; at++) {
    bits[0] = at << SHIFT
    CODE_BY_BITS[at] = byLogarithm(size[0]!)
  }
}

function byLogarithm(size: number): number {
  if (size === 0 || !Number.isFinite(size)) return 0
  const code = 1 + Math.round(Math.log(Math.abs(size) / SMALLEST) * PER_LOG)
  return Math.sign(size) * Math.max(1, Math.min(CODES, code))
}

/** Returns the code of a size, with the sign of the size. */
export const codeOf = (size: number): number => codesOf(Float32Array.of(size))[0]!

export function codesOf(sizes: Float32Array): Int16Array {
  const bits = new Int32Array(sizes.buffer, sizes.byteOffset, sizes.length)
  const codes = new Int16Array(sizes.length)
  for (let at = 0; at < codes.length; at++) codes[at] = CODE_BY_BITS[bits[at]! >>> SHIFT]!
  return codes
}
