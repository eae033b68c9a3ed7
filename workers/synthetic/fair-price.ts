// A FairPrice returns the value of an outcome, in 1e-3 dollars (not rounded). Its argument is the share of the
// market's life that has passed; this share must not decrease from call to call. Each call takes one random step.

import { DOLLAR_MILLI } from './bid-ladder.ts'
import type { Random } from './random.ts'

export type FairPrice = (lifeShare: number) => number

export type Wander = { fromMilli: number; toMilli: number; widthMilli: number }

/** Number of times that a wandering price returns to its straight path during a market's life. */
const RETURNS = 12

/** A price that strays by about `widthMilli` from the straight path between two values. */
export function wanderingPrice(random: Random, { fromMilli, toMilli, widthMilli }: Wander): FairPrice {
  const stepMilli = widthMilli * Math.sqrt(2 * RETURNS)
  let passed = 0
  let strayMilli = 0
  return (lifeShare) => {
    const elapsed = Math.max(lifeShare - passed, 0)
    passed += elapsed
    strayMilli *= Math.max(1 - RETURNS * elapsed, 0)
    strayMilli += stepMilli * Math.sqrt(Math.min(elapsed, 1 / RETURNS)) * random.bell()
    return clamp(fromMilli + (toMilli - fromMilli) * passed + strayMilli, 12)
  }
}

/** The price of "up in the next fifteen minutes": near a half at first, almost 0 or 1 at the end. */
export function settlingPrice(random: Random): FairPrice {
  let passed = 0
  let move = 0.15 * random.bell()
  return (lifeShare) => {
    const elapsed = Math.max(Math.min(lifeShare, 1) - passed, 0)
    passed += elapsed
    move += 0.7 * Math.sqrt(elapsed) * random.bell()
    const certainty = move / Math.sqrt(1.02 - passed)
    return clamp((DOLLAR_MILLI / 2) * (1 + certainty / Math.sqrt(1 + certainty * certainty)), 4)
  }
}

const clamp = (priceMilli: number, marginMilli: number) =>
  Math.min(Math.max(priceMilli, marginMilli), DOLLAR_MILLI - marginMilli)
