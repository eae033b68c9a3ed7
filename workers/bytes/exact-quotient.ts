// A quotient of whole numbers of any size as the double nearest to it.

/** More bits than a double has: what is cut off behind them is noted in the last. */
const QUOTIENT_BITS = 64

/** `divisor` is more than 0. */
export function exactQuotient(dividend: bigint, divisor: bigint): number {
  if (dividend < 0n) return -exactQuotient(-dividend, divisor)
  const shift = Math.max(0, QUOTIENT_BITS + bitsOf(divisor) - bitsOf(dividend))
  const shifted = dividend << BigInt(shift)
  const whole = shifted / divisor
  return Number(whole * divisor === shifted ? whole : whole | 1n) / 2 ** shift
}

const bitsOf = (value: bigint): number => value.toString(2).length
