// A property that must hold for all values, and how often to try it. The tests try each property a few times; the
// torture tries it for the requested duration. A failure prints the smallest values that break the property, and the
// seed that finds them again.

import fc from 'fast-check'

export type Property = {
  name: string
  /** Number of tries in a run of the tests; they take a fraction of a second. */
  runs: number
  check(settings: { numRuns: number; seed?: number }): Promise<void>
}

/** Declares a property. `holds` throws if the property is broken. */
export function property<Values extends [unknown, ...unknown[]]>(
  name: string,
  runs: number,
  arbitraries: { [Place in keyof Values]: fc.Arbitrary<Values[Place]> },
  holds: (...values: Values) => void | Promise<void>,
): Property {
  const stated = fc.asyncProperty<Values>(...arbitraries, async (...values) => {
    await holds(...values)
  })
  return { name, runs, check: (settings) => fc.assert(stated, { endOnFailure: false, ...settings }) }
}
