// Computes the height of each row of a depth map. A market that trades in whole cents has rows one cent tall at any
// requested step, because rows as tall as a fine step would be hairlines.

/** Returns the height of each row as a whole number of steps. `tickAt` returns the market's tick at a price in dollars,
 *  null if unknown. */
export function rowHeights(
  prices: ArrayLike<number>,
  priceStep: number,
  tickAt: (dollars: number) => number | null,
): Uint16Array {
  const common = commonStep(prices, priceStep)
  return Uint16Array.from({ length: prices.length }, (_, row) => {
    const ticks = Math.round((tickAt(prices[row]!) ?? 0) / priceStep)
    const toNext = row + 1 < prices.length ? Math.round((prices[row + 1]! - prices[row]!) / priceStep) : Infinity
    return Math.max(1, Math.min(toNext, Math.max(common, ticks)))
  })
}

/** Returns how far rows are drawn below their start, in dollars. This puts a price in the middle of its row, at the
 *  height where lines and marks show it. */
export function halfTick({ prices, priceStep }: { prices: ArrayLike<number>; priceStep: number }, tick: number | null) {
  return (tick ?? commonStep(prices, priceStep) * priceStep) / 2
}

const COMMON_MAX_DOLLARS = 0.01

/** Returns the largest number of steps, up to a cent, that divides all row prices. */
export function commonStep(prices: ArrayLike<number>, priceStep: number): number {
  let common = Math.max(1, Math.round(COMMON_MAX_DOLLARS / priceStep))
  for (let row = 0; row < prices.length && common > 1; row++) {
    common = greatestDivisor(common, Math.round(prices[row]! / priceStep))
  }
  return common
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))
