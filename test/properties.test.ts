// long: the slow model answers, too
// Goal: properties that must hold for all values hold for a few hundred of them, the same in every run; the torture
// tries others.

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
