// How tall the rows of a depth map are. A row of a market of whole cents is a cent tall at any step that it was asked
// for with: drawn as tall as the step, it would be a hairline.

/** A whole number of steps, for each row. `tickAt` is the market's tick at a price, dollars, null where not known. */
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

/** How far rows are drawn below where they begin, dollars: a price is then in the middle of its row, where lines and
 *  marks have it. */
export function halfTick({ prices, priceStep }: { prices: ArrayLike<number>; priceStep: number }, tick: number | null) {
  return (tick ?? commonStep(prices, priceStep) * priceStep) / 2
}

const COMMON_MAX_DOLLARS = 0.01

/** The largest number of steps that all rows lie apart by, up to a cent. */
export function commonStep(prices: ArrayLike<number>, priceStep: number): number {
  let common = Math.max(1, Math.round(COMMON_MAX_DOLLARS / priceStep))
  for (let row = 0; row < prices.length && common > 1; row++) {
    common = greatestDivisor(common, Math.round(prices[row]! / priceStep))
  }
  return common
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))
