// A recorder whose disk fills while venues send messages. It resumes by itself when there is space again.

import type { Round } from '../../topic.ts'
import { injectFault, trialRound } from './trial-round.ts'

const MEGABYTES = 64
/** The queue for data that waits for the disk is small, so that the recorder drops some of the data. */
const OWN = { writeQueueBytesMax: 2 ** 20 }
const FULL_MS_MAX = 10_000
const BETWEEN_MS = 3_000

export function fullDisk(round: Round): Promise<void> {
  const { random, tally, isSmoke } = round
  return trialRound(round, { diskMegabytes: MEGABYTES, own: OWN }, async ({ venues, disk, start }) => {
    const recording = start()
    // Waits until the loading thread has created the store, which would fail on a full disk.
    await recording.until('a first commit', ({ loading }) => loading.records_added > 0)
    for (let times = isSmoke ? 1 : random.between(1, 3); times > 0; times--) {
      disk!.fill()
      tally.add('disks filled')
      await Bun.sleep(random.between(1_000, FULL_MS_MAX))
      if (random.chance(0.5)) injectFault(venues, round)
      disk!.empty()
      await Bun.sleep(BETWEEN_MS)
      if (recording.hasEnded) throw new Error(`the recorder has ended: ${recording.log()}`)
    }
    await recording.until('not full any more', ({ disk: { is_full }, updated_at }) => {
      return !is_full && Date.now() - updated_at < 5_000
    })
  })
}
