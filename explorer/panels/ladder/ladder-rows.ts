// Chooses the prices that the ladder shows, and computes the sizes at each. Prices keep their rows while sizes change:
// the rows move only when the best prices come near their end. Prices are in units of 1e-6 dollars.

/** The height of a row in 1e-6 dollars, or `levels` for one row per level. */
export type Step = number | 'levels'

export type Row = {
  /** Price of the row, 1e-6 dollars: the upper end of the asks that the row adds up, and the lower end of its bids.
   *  Null for a row without a price. */
  micros: number | null
  bid: number
  ask: number
}

type Levels = readonly (readonly [price: number, size: number])[]
/** The levels of both sides, best first. */
export type Sides = { bids: Levels; asks: Levels }

const microsOf = (dollars: number): number => Math.round(dollars * 1e6)

/** The ticks of the venues and coarser steps, 1e-6 dollars. */
export const STEPS = [100, 1_000, 2_500, 5_000, 10_000, 50_000] as const
const COARSEST_TICK = 10_000
const WHOLE = 1_000_000

/** The position of the rows: the tick of their prices and the price in the middle, 1e-6 dollars. */
export type Place = { tick: number; centre: number }

/** How far the middle of the book may move from the middle row, as a share of the rows. */
const DRIFT = 0.3

/** Returns the previous place. Returns a new place if the middle of the book has moved too far from the previous
 *  centre, or if a level lies between the previous rows. */
export function placeFor(previous: Place | null, sides: Sides, step: number | null, rows: number): Place {
  const middle = middleOf(sides)
  if (middle === null) return previous ?? { tick: COARSEST_TICK, centre: WHOLE / 2 }
  const isNear = previous !== null && Math.abs(middle - previous.centre) <= rows * (step ?? previous.tick) * DRIFT
  const tick = tickFor(sides, isNear ? previous.centre : middle, isNear ? previous.tick : COARSEST_TICK, rows)
  if (isNear && tick === previous.tick) return previous
  const across = step ?? tick
  return { tick, centre: Math.round(middle / across) * across }
}

/** Returns the middle of the best prices; null if the book has no levels. */
function middleOf({ bids, asks }: Sides): number | null {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  return bid === undefined && ask === undefined ? null : (microsOf(bid ?? ask!) + microsOf(ask ?? bid!)) / 2
}

/** Returns the coarsest of `STEPS`, no coarser than `from`, that has a row for every level in view; the finest step if
 *  there is none. */
function tickFor({ bids, asks }: Sides, centre: number, from: number, rows: number): number {
  for (let at = STEPS.indexOf(from as (typeof STEPS)[number]); at > 0; at--) {
    const step = STEPS[at]!
    const reach = ((rows + 1) / 2) * step
    const fits = ([price]: Levels[number]) => microsOf(price) % step === 0 || Math.abs(microsOf(price) - centre) > reach
    if (bids.every(fits) && asks.every(fits)) return step
  }
  return STEPS[0]
}

/** Returns the tick if the best prices are near each other, otherwise `levels`. Returns null if a side is empty. */
export function stepFor(tick: number, { bids, asks }: Sides, rows: number): Step | null {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  if (bid === undefined || ask === undefined) return null
  return (microsOf(ask) - microsOf(bid)) / tick <= rows / 2 ? tick : 'levels'
}

/** Returns the row to which a price is added, as the row's price in 1e-6 dollars. Bids are rounded down, asks up. */
export function rowOf(price: number, step: Step, side: 'bid' | 'ask'): number {
  const micros = microsOf(price)
  if (step === 'levels') return micros
  return (side === 'bid' ? Math.floor(micros / step) : Math.ceil(micros / step)) * step
}

/** Returns `rows` rows of one step each, highest price first; fewer if a dollar has fewer steps. Nothing trades at 0 or
 *  at a dollar, so these prices get rows only if a coarse step rounds levels to them. */
export function stepRows({ bids, asks }: Sides, step: number, centre: number, rows: number): Row[] {
  const lowest = bids.some(([price]) => rowOf(price, step, 'bid') === 0) ? 0 : step
  const most = Math.floor(WHOLE / step) * step
  const highest = asks.some(([price]) => rowOf(price, step, 'ask') >= most) ? most : most - step
  const count = Math.min(rows, (highest - lowest) / step + 1)
  const top = Math.min(highest, Math.max(lowest + (count - 1) * step, centre + Math.floor(count / 2) * step))
  const made: Row[] = Array.from({ length: count }, (_, i) => ({ micros: top - i * step, bid: 0, ask: 0 }))
  for (const [price, size] of bids) {
    const row = made[(top - rowOf(price, step, 'bid')) / step]
    if (row !== undefined) row.bid += size
  }
  for (const [price, size] of asks) {
    const row = made[(top - rowOf(price, step, 'ask')) / step]
    if (row !== undefined) row.ask += size
  }
  return made
}

/** Returns the best levels, with as many rows for bids as for asks, so that the space between the sides stays in
 *  place. */
export function levelRows({ bids, asks }: Sides, rows: number): Row[] {
  const half = Math.floor(rows / 2)
  const side = (levels: Levels, of: (size: number) => Pick<Row, 'bid' | 'ask'>): Row[] =>
    Array.from({ length: half }, (_, i) => {
      const level = levels[i]
      return level === undefined ? { micros: null, bid: 0, ask: 0 } : { micros: microsOf(level[0]), ...of(level[1]) }
    })
  return [...side(asks, (ask) => ({ bid: 0, ask })).toReversed(), ...side(bids, (bid) => ({ bid, ask: 0 }))]
}

/** Adds the levels that a record removed, with size 0. So a ladder that has rows only for levels still shows a removed
 *  level once. */
export function withRemoved({ bids, asks }: Sides, changes: readonly Removal[]): Sides {
  const gone = (side: Removal['side']) =>
    changes.filter((each) => each.side === side && each.after === 0).map(({ price }) => [price, 0] as const)
  return {
    bids: [...bids, ...gone('bid')].sort(([a], [b]) => b - a),
    asks: [...asks, ...gone('ask')].sort(([a], [b]) => a - b),
  }
}

type Removal = { side: 'bid' | 'ask'; price: number; after: number }

/** Returns the size that a full bar means: 1, 2 or 5 times a power of ten. Returns the previous size until the largest
 *  size exceeds it, or falls to a quarter of it. */
export function barScale(previous: number | null, largest: number): number {
  if (previous !== null && largest <= previous && largest > previous / 4) return previous
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  return [1, 2, 5, 10].find((factor) => factor * power >= largest)! * power
}
