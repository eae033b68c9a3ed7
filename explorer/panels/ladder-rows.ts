// Which prices the ladder shows, and what rests at each. Prices keep their rows while sizes change: the rows move only
// when the best prices near their end. Prices are counted in 1e-6 dollars.

export type Step = number | 'levels'

export type Row = {
  /** 1e-6 dollars; the upper end of what asks are added up of, the lower of bids. Null: a row without a price. */
  micros: number | null
  bid: number
  ask: number
}

type Levels = readonly (readonly [price: number, size: number])[]

export const microsOf = (dollars: number): number => Math.round(dollars * 1e6)

/** Steps that venues have, 1e-6 dollars, and coarser ones to add up by. */
export const STEPS = [100, 1_000, 2_500, 5_000, 10_000, 50_000] as const

/** The coarsest of the venues' steps on which all prices lie. */
export function tickOf(prices: Iterable<number>): number {
  let at = STEPS.indexOf(10_000)
  for (const price of prices) {
    while (at > 0 && microsOf(price) % STEPS[at]! !== 0) at--
  }
  return STEPS[at]!
}

/** Every tick where the best prices are near each other, else only prices at which something rests. */
export function stepFor(tick: number, bid: number | undefined, ask: number | undefined, rows: number): Step {
  if (bid === undefined || ask === undefined) return 'levels'
  return (microsOf(ask) - microsOf(bid)) / tick <= rows / 3 ? tick : 'levels'
}

/** Where the middle row stands: it stays until the middle of the book is so far from it that its end comes near. */
export function centreFor(
  previous: number | null,
  { bids, asks }: { bids: Levels; asks: Levels },
  step: number,
  rows: number,
): number {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  if (bid === undefined && ask === undefined) return previous ?? 500_000
  const middle = (microsOf(bid ?? ask!) + microsOf(ask ?? bid!)) / 2
  if (previous !== null && Math.abs(middle - previous) <= rows * step * 0.3) return previous
  return Math.round(middle / step) * step
}

const WHOLE = 1_000_000

/** `rows` rows of a step each, the highest price first, fewer where all of a dollar is not as many. */
export function stepRows(bids: Levels, asks: Levels, step: number, centre: number, rows: number): Row[] {
  const count = Math.min(rows, Math.floor(WHOLE / step) + 1)
  const highest = centre + Math.floor(count / 2) * step
  const top = Math.min(Math.floor(WHOLE / step) * step, Math.max((count - 1) * step, highest))
  const made: Row[] = Array.from({ length: count }, (_, i) => ({ micros: top - i * step, bid: 0, ask: 0 }))
  for (const [price, size] of bids) {
    const row = made[(top - Math.floor(microsOf(price) / step) * step) / step]
    if (row !== undefined) row.bid += size
  }
  for (const [price, size] of asks) {
    const row = made[(top - Math.ceil(microsOf(price) / step) * step) / step]
    if (row !== undefined) row.ask += size
  }
  return made
}

/** The best levels of both sides, as many of each; the space between them is always at one place. */
export function levelRows(bids: Levels, asks: Levels, rows: number): Row[] {
  const half = Math.floor(rows / 2)
  const side = (levels: Levels, of: (size: number) => Pick<Row, 'bid' | 'ask'>): Row[] =>
    Array.from({ length: half }, (_, i) => {
      const level = levels[i]
      return level === undefined ? { micros: null, bid: 0, ask: 0 } : { micros: microsOf(level[0]), ...of(level[1]) }
    })
  return [...side(asks, (ask) => ({ bid: 0, ask })).toReversed(), ...side(bids, (bid) => ({ bid, ask: 0 }))]
}

/** The size of a full bar: 1, 2 or 5 times a power of ten, and smaller again only when much of it is unused. */
export function barScale(previous: number | null, largest: number): number {
  if (previous !== null && largest <= previous && largest > previous / 4) return previous
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  return [1, 2, 5, 10].find((factor) => factor * power >= largest)! * power
}
