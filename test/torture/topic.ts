// What a topic of the torture is: something that goes wrong in rounds, each from a seed of its own, and what must hold
// after each of them.

import type { Random } from '../../workers/synthetic/random.ts'

/** How often each thing happened, by its name: a promise that was never put to the test is seen in it. */
export class Tally {
  readonly counts = new Map<string, number>()

  add(name: string, count = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count)
  }
}

export type Round = {
  seed: number
  random: Random
  tally: Tally
  /** Gone after the topic; rounds share it. */
  folder: string
  /** The smoke size: what takes long is made small. */
  isSmoke: boolean
}

/** What rounds share, such as a store or a server. */
export type Victim = {
  /** Throws where a promise is broken. */
  round(round: Round): Promise<void>
  close(): Promise<void>
}

export type TortureTopic = {
  title: string
  smokeRounds: number
  /** What has to have happened in the rounds of the smoke size, as the tally names it. */
  smokeTally: readonly string[]
  /** How long the smoke may take, where that is more than for others: on a busy machine, processes start slowly. */
  smokeMsMax?: number
  /** Why this machine cannot run it. */
  skipped?: string
  prepare(context: Omit<Round, 'random' | 'seed'>): Promise<Victim>
}
