// The model: what each market held after each commit that took effect, as numbers of records. It knows nothing of
// blocks, rows or objects.

export type LoadedRecord = { market: string; date: string; number: number }

export const NOTHING: ReadonlySet<number> = new Set()

export class History {
  /** For each market, its content after no commit, after one commit, after two commits, and so on. */
  readonly #states = new Map<string, ReadonlySet<number>[]>()
  readonly #confirmed = new Map<string, Set<number>>()

  states(market: string): readonly ReadonlySet<number>[] {
    return this.#states.get(market) ?? [NOTHING]
  }

  /** Returns the number of commits of a market that took effect. */
  commits(market: string): number {
    return this.states(market).length - 1
  }

  allCommits(): [string, number][] {
    return [...this.#states].map(([market, states]) => [market, states.length - 1])
  }

  latest(market: string): ReadonlySet<number> {
    return this.states(market).at(-1)!
  }

  /** Notes a commit of a market. `revision` is the number of earlier commits. */
  took(market: string, revision: number, numbers: Iterable<number>): void {
    const states = this.states(market)
    if (revision !== states.length - 1) {
      throw new Error(`a commit of ${market} on revision ${revision} took effect after ${states.length - 1} commits`)
    }
    this.#states.set(market, [...states, new Set([...states.at(-1)!, ...numbers])])
  }

  /** Notes that a loader got the acknowledgement of these records. Throws if one of them is not stored. */
  acknowledge(market: string, numbers: Iterable<number>): void {
    const confirmed = this.#confirmed.get(market) ?? new Set()
    this.#confirmed.set(market, confirmed)
    const latest = this.latest(market)
    for (const number of numbers) {
      if (!latest.has(number)) throw new Error(`record ${number} of ${market} was acknowledged and is not stored`)
      confirmed.add(number)
    }
  }

  acknowledged(market: string): ReadonlySet<number> {
    return this.#confirmed.get(market) ?? NOTHING
  }

  /** Returns the first commit, from `first` on, after which the market has the content that an answer shows;
   *  undefined if there is none. */
  find(
    market: string,
    first: number,
    isShown: (state: ReadonlySet<number>, commit: number) => boolean,
  ): number | undefined {
    const found = this.states(market).findIndex((state, commit) => commit >= first && isShown(state, commit))
    return found === -1 ? undefined : found
  }
}
