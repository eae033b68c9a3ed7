// The cluster and its recorders in a simulation. A seed decides what fails and when; it always gives the same run.

import { simulate } from '../../simulation/simulate.ts'
import type { TortureTopic } from '../topic.ts'

export const topic: TortureTopic = {
  title: 'a simulated cluster under a seed: delays, losses, crashes, clocks, damage',
  smokeRounds: 20,
  smokeTally: [
    'answers that showed one commit',
    'calls: crash after',
    'calls: crash before',
    'calls: refused',
    'calls: reply lost',
    'calls: request lost',
    'loads acknowledged',
    'messages stored',
    'messages within gaps',
    'ranges in pages of several nodes',
    'requests that arrived twice',
    'recorders started again',
    'stored markets taken',
  ],
  async prepare() {
    return {
      async round({ seed, tally }) {
        const { counts } = await simulate(seed)
        for (const [name, count] of counts) tally.add(name, count)
      },
      close: async () => undefined,
    }
  },
}
