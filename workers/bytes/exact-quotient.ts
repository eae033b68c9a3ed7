// Divides whole numbers of any size, and rounds to the nearest double.

/** More bits than the 53 of a double's significand. The last bit notes whether the division left a remainder. */
const QUOTIENT_BITS = 64

/** Returns the double nearest to the quotient. `divisor` must be above 0. */
export function exactQuotient(dividend: bigint, divisor: bigint): number {
  if (dividend < 0n) return -exactQuotient(-dividend, divisor)
  const shift = Math.max(0, QUOTIENT_BITS + bitsOf(divisor) - bitsOf(dividend))
  const shifted = dividend << BigInt(shift)
  const whole = shifted / divisor
  return Number(whole * divisor === shifted ? whole : whole | 1n) / 2 ** shift
}

const bitsOf = (value: bigint): number => value.toString(2).length
