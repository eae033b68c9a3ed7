// A topic of the torture. Each of its rounds has its own seed and makes something go wrong. After each round, certain
// promises must hold.

import type { Random } from '../../workers/synthetic/random.ts'

/** Counts how often each thing happened, by name. The counts show whether the rounds tested each promise. */
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
  /** A folder that all rounds of the topic share; removed after the topic. */
  folder: string
  /** Whether the round has the smoke size, in which slow parts are small. */
  isSmoke: boolean
}

/** The object that the rounds share, such as a store or a server. */
export type Victim = {
  /** Runs a round. Throws if a promise is broken. */
  round(round: Round): Promise<void>
  close(): Promise<void>
}

export type TortureTopic = {
  title: string
  smokeRounds: number
  /** Names of counts that must be above zero after the rounds of the smoke size. */
  smokeTally: readonly string[]
  /** Maximum duration of the smoke if it may take longer than others, ms. Processes start slowly on a busy machine. */
  smokeMsMax?: number
  /** The reason why this machine cannot run the topic. */
  skipped?: string
  prepare(context: Omit<Round, 'random' | 'seed'>): Promise<Victim>
}
