// Runs rounds of a topic until it reaches a number of rounds or a time. A failed round reports the seed that repeats
// it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../workers/synthetic/random.ts'
import { Tally, type TortureTopic } from './topic.ts'

export type RoundLimits = {
  seed: number
  rounds: number
  untilMs: number
  isSmoke: boolean
  /** Called from time to time with the number of finished rounds. */
  onProgress?: (done: number) => void
}

const PROGRESS_EVERY_MS = 30_000

export class TortureFailure extends Error {
  override readonly name = 'TortureFailure'
  readonly seed: number

  constructor(seed: number, cause: unknown) {
    super(`round with seed ${seed}: ${cause instanceof Error ? (cause.stack ?? cause.message) : cause}`, { cause })
    this.seed = seed
  }
}

/** Runs rounds with consecutive seeds. Throws TortureFailure with the first seed that breaks a promise. */
export async function runRounds(topic: TortureTopic, limits: RoundLimits): Promise<Tally> {
  const { isSmoke, onProgress = () => undefined } = limits
  const tally = new Tally()
  const folder = mkdtempSync(join(tmpdir(), 'backbook-torture-'))
  try {
    const victim = await topic.prepare({ tally, folder, isSmoke })
    let progressMs = Date.now()
    try {
      for (let round = 0; round < limits.rounds && Date.now() < limits.untilMs; round++) {
        const seed = limits.seed + round
        try {
          await victim.round({ seed, random: new Random(seed, 'torture'), tally, folder, isSmoke })
        } catch (error) {
          throw new TortureFailure(seed, error)
        }
        tally.add('rounds')
        if (Date.now() - progressMs < PROGRESS_EVERY_MS) continue
        progressMs = Date.now()
        onProgress(round + 1)
      }
    } finally {
      await victim.close()
    }
    return tally
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
