// The properties of test/properties, tried with new values in each round.

import { PROPERTIES } from '../../properties/properties.ts'
import type { TortureTopic } from '../topic.ts'

const SMOKE_SHARE = 10

export const topic: TortureTopic = {
  title: 'what must hold for all values, tried with values that no test has tried yet',
  smokeRounds: 1,
  smokeTally: Object.keys(PROPERTIES).map((name) => `values of ${name}`),
  async prepare() {
    return {
      async round({ random, tally, isSmoke }) {
        for (const [name, properties] of Object.entries(PROPERTIES)) {
          for (const { runs, check } of properties) {
            const numRuns = isSmoke ? Math.ceil(runs / SMOKE_SHARE) : runs
            await check({ numRuns, seed: random.uint32() | 0 })
            tally.add(`values of ${name}`, numRuns)
          }
        }
      },
      close: async () => undefined,
    }
  },
}
