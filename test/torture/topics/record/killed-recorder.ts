// A recorder that is killed with -9 repeatedly, at any moment of its start and its work. A last recorder continues from
// what the killed ones left.

import type { Round } from '../../topic.ts'
import { injectFault, trialRound } from './trial-round.ts'

const KILLS_MAX = 6
/** Number of kills in each round, on one store; 0 if not set. If it is set, all rounds are of this kind. */
export const REQUESTED_KILLS = Number(process.env['RECORD_KILLS'] ?? 0)
const SMOKE_KILLS = 2
/** Maximum time until a kill, ms: while the recorder starts, or while it records. */
const MOMENT_MS_MAX = 5_000
const FAULT_MS = 300

export function killedRecorder(round: Round): Promise<void> {
  const { random, tally, isSmoke } = round
  return trialRound(round, {}, async ({ venues, start }) => {
    const kills = isSmoke ? SMOKE_KILLS : REQUESTED_KILLS || random.between(1, KILLS_MAX)
    for (let kill = 0; kill < kills; kill++) {
      const recording = start()
      const untilMs = performance.now() + random.below(MOMENT_MS_MAX)
      while (performance.now() < untilMs) {
        await Bun.sleep(Math.min(random.below(2 * FAULT_MS), untilMs - performance.now()))
        if (random.chance(0.7)) injectFault(venues, round)
      }
      if (recording.hasEnded) throw new Error(`the recorder has ended by itself: ${recording.log()}`)
      await recording.kill()
      tally.add('kills')
    }
    start()
  })
}
