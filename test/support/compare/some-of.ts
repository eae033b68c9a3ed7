// Lists that a query contains as one text.

import type { Comparison } from './comparison.ts'

export const TRUSTS = ['established', 'observed', 'doubtful', 'lost']

/** Returns some of the values as a parameter. Their order is not always that of `values`. */
export function someOf(values: string[], { random }: Comparison): string {
  const some = values.filter(() => random.chance(0.4))
  return (some.length === 0 ? [values[0]!] : random.chance(0.5) ? some : some.reverse()).join()
}
