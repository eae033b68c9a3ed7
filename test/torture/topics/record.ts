// Recorders as processes on venues that misbehave: killed at any moment, and on a disk that fills. After each round the
// store verifies, what is in a segment is stored, and what is not stored lies within a gap.

import { canMount } from '../../support/disk/small-disk.ts'
import type { TortureTopic } from '../topic.ts'
import { fullDisk } from './record/full-disk.ts'
import { killedRecorder } from './record/killed-recorder.ts'

const DISK_SHARE = 0.25

export const topic: TortureTopic = {
  title: 'recorders on venues that misbehave, killed with -9, on a disk that fills: nothing is missing untold',
  smokeRounds: 2,
  smokeTally: ['kills', 'misdeeds', 'messages stored', 'messages within gaps'],

  async prepare() {
    let rounds = 0
    return {
      async round(round) {
        // A seed repeats its round; the smoke has one of each.
        const isOfDisk = round.isSmoke ? rounds++ % 2 === 1 : round.random.chance(DISK_SHARE)
        await (isOfDisk && canMount ? fullDisk(round) : killedRecorder(round))
      },
      async close() {},
    }
  },
}
