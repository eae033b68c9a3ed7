// Recorders as processes on venues that misbehave: killed at any moment, in pairs, and on a disk that fills. After
// each round `verify` finds no damage, and every segment is loaded. Every message that is not stored is within a gap.

import { canMount } from '../../support/disk/small-disk.ts'
import type { TortureTopic } from '../topic.ts'
import { fullDisk } from './record/full-disk.ts'
import { killedRecorder, REQUESTED_KILLS } from './record/killed-recorder.ts'
import { twoRecorders } from './record/two-recorders.ts'

const ALL_KINDS = [killedRecorder, twoRecorders, canMount ? fullDisk : killedRecorder, killedRecorder]
const KINDS = REQUESTED_KILLS > 0 ? [killedRecorder] : ALL_KINDS

export const topic: TortureTopic = {
  title: 'recorders on venues that misbehave, killed with -9, in twos, on a full disk: no loss is unreported',
  smokeRounds: 3,
  smokeTally: ['kills', 'faults', 'messages stored', 'messages within gaps', 'recordings merged'],

  async prepare() {
    let rounds = 0
    return {
      async round(round) {
        // A seed repeats its round, so a full round picks by the seed. The smoke runs one round of each kind.
        const kind = round.isSmoke ? KINDS[rounds++ % KINDS.length]! : round.random.pick(KINDS)
        await kind(round)
      },
      async close() {},
    }
  },
}
