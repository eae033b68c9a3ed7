// Two recorders on the same markets, as on two hosts. Each misses other messages, and their segments together make
// one day without duplicates.

import type { Round } from '../../topic.ts'
import { injectFault, trialRound } from './trial-round.ts'

const FAULT_MS = 400
const WORK_MS = 8_000
const SMOKE_MS = 3_000

export function twoRecorders(round: Round): Promise<void> {
  const { random, isSmoke } = round
  return trialRound(round, {}, async ({ venues, start, startTwin }) => {
    const both = [start(), startTwin()]
    for (const recording of both) await recording.until('recording', ({ state }) => state === 'recording')
    const untilMs = performance.now() + (isSmoke ? SMOKE_MS : WORK_MS)
    while (performance.now() < untilMs) {
      await Bun.sleep(random.below(2 * FAULT_MS))
      injectFault(venues, round)
      const ended = both.find(({ hasEnded }) => hasEnded)
      if (ended !== undefined) throw new Error(`a recorder has ended by itself: ${ended.log()}`)
    }
  })
}
