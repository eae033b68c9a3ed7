// long: it also runs the slow model
// Goal: each property must hold for all values. This test tries a few hundred values, the same in every run. The
// torture tries others.

import { describe, test } from 'bun:test'
import { PROPERTIES } from './properties/properties.ts'

const SEED = 1

describe.each(Object.entries(PROPERTIES))('%s', (_, properties) => {
  test.each(properties.map((property) => [property.name, property] as const))(
    '%s',
    (_name, { runs, check }) => check({ numRuns: runs, seed: SEED }),
    60_000,
  )
})
