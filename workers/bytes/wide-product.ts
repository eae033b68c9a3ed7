// Writes products with more bits than a double has, as words of 32 bits.

const WORD = 2 ** 32

/** Writes the product of a whole number from 0 to 2^53 and a factor below 2^20, little-endian in 8 bytes. The product
 *  must be below 2^64. */
export function writeProduct(view: DataView, at: number, value: number, factor: number): void {
  const high = Math.floor(value / WORD)
  const low = (value - high * WORD) * factor
  const carry = Math.floor(low / WORD)
  view.setUint32(at, low - carry * WORD, true)
  view.setUint32(at + 4, high * factor + carry, true)
}
