// Which prices the ladder shows, and what rests at each. Prices keep their rows while sizes change: the rows move only
// when the best prices near their end. Prices are counted in 1e-6 dollars.

/** 1e-6 dollars a row, or a row for each price at which something rests. */
export type Step = number | 'levels'

export type Row = {
  /** 1e-6 dollars; the upper end of what asks are added up of, the lower of bids. Null: a row without a price. */
  micros: number | null
  bid: number
  ask: number
}

type Levels = readonly (readonly [price: number, size: number])[]
/** The best first. */
export type Sides = { bids: Levels; asks: Levels }

const microsOf = (dollars: number): number => Math.round(dollars * 1e6)

/** Steps that venues have, 1e-6 dollars, and coarser ones to add up by. */
export const STEPS = [100, 1_000, 2_500, 5_000, 10_000, 50_000] as const
const COARSEST_TICK = 10_000
const WHOLE = 1_000_000

/** Where the rows stand: on which prices, and around which. */
export type Place = { tick: number; centre: number }

/** Share of the rows by which the middle of the book may leave the middle row. */
const DRIFT = 0.3

/** Stays as it was until the middle of the book is so far off that an end comes near, or until a level comes that lies
 *  between the rows. */
export function placeFor(previous: Place | null, sides: Sides, step: number | null, rows: number): Place {
  const middle = middleOf(sides)
  if (middle === null) return previous ?? { tick: COARSEST_TICK, centre: WHOLE / 2 }
  const isNear = previous !== null && Math.abs(middle - previous.centre) <= rows * (step ?? previous.tick) * DRIFT
  const tick = tickFor(sides, isNear ? previous.centre : middle, isNear ? previous.tick : COARSEST_TICK, rows)
  if (isNear && tick === previous.tick) return previous
  const across = step ?? tick
  return { tick, centre: Math.round(middle / across) * across }
}

/** Null of a book without levels. */
function middleOf({ bids, asks }: Sides): number | null {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  return bid === undefined && ask === undefined ? null : (microsOf(bid ?? ask!) + microsOf(ask ?? bid!)) / 2
}

/** The coarsest of the venues' steps, from one on, on which all levels lie that it would show. */
function tickFor({ bids, asks }: Sides, centre: number, from: number, rows: number): number {
  for (let at = STEPS.indexOf(from as (typeof STEPS)[number]); at > 0; at--) {
    const step = STEPS[at]!
    const reach = ((rows + 1) / 2) * step
    const fits = ([price]: Levels[number]) => microsOf(price) % step === 0 || Math.abs(microsOf(price) - centre) > reach
    if (bids.every(fits) && asks.every(fits)) return step
  }
  return STEPS[0]
}

/** Every tick where the best prices are near each other, else only prices at which something rests. Null of a book that
 *  has not both. */
export function stepFor(tick: number, { bids, asks }: Sides, rows: number): Step | null {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  if (bid === undefined || ask === undefined) return null
  return (microsOf(ask) - microsOf(bid)) / tick <= rows / 2 ? tick : 'levels'
}

/** The row that a price is added to: bids down, asks up. */
export function rowOf(price: number, step: Step, side: 'bid' | 'ask'): number {
  const micros = microsOf(price)
  if (step === 'levels') return micros
  return (side === 'bid' ? Math.floor(micros / step) : Math.ceil(micros / step)) * step
}

/** `rows` rows of a step each, the highest price first, fewer where all of a dollar is not as many. Nothing trades at 0
 *  or at a dollar: those have rows only where a coarse step adds up in them. */
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

/** The best levels of both sides, as many of each: the space between them is always at one place. */
export function levelRows({ bids, asks }: Sides, rows: number): Row[] {
  const half = Math.floor(rows / 2)
  const side = (levels: Levels, of: (size: number) => Pick<Row, 'bid' | 'ask'>): Row[] =>
    Array.from({ length: half }, (_, i) => {
      const level = levels[i]
      return level === undefined ? { micros: null, bid: 0, ask: 0 } : { micros: microsOf(level[0]), ...of(level[1]) }
    })
  return [...side(asks, (ask) => ({ bid: 0, ask })).toReversed(), ...side(bids, (bid) => ({ bid, ask: 0 }))]
}

/** With the levels that a record removed, as 0: where only levels have rows, what is gone is shown once more. */
export function withRemoved({ bids, asks }: Sides, changes: readonly Removal[]): Sides {
  const gone = (side: Removal['side']) =>
    changes.filter((each) => each.side === side && each.after === 0).map(({ price }) => [price, 0] as const)
  return {
    bids: [...bids, ...gone('bid')].sort(([a], [b]) => b - a),
    asks: [...asks, ...gone('ask')].sort(([a], [b]) => a - b),
  }
}

type Removal = { side: 'bid' | 'ask'; price: number; after: number }

/** The size of a full bar: 1, 2 or 5 times a power of ten, and smaller again only when much of it is unused. */
export function barScale(previous: number | null, largest: number): number {
  if (previous !== null && largest <= previous && largest > previous / 4) return previous
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  return [1, 2, 5, 10].find((factor) => factor * power >= largest)! * power
}
