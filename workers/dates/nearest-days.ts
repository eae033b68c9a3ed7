// Finds the days of a market nearest to a given day, including the changes of a plan.

import type { Catalogue, StoredDay } from '../../storage/catalogue.ts'
import { type Source, sourcesOf } from '../../storage/format/head-layers.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'

type Direction = 'before' | 'after'

export class NearestDays {
  readonly #catalogue: Pick<Catalogue, 'neighbour'> | undefined
  readonly #changes: ReadonlyMap<string, { head: PartitionHead | null }>
  /** Stored days that were already read. */
  readonly #stored = new Map<string, Promise<StoredDay | undefined>>()

  /** `changes` has the plan's changes by date, and may grow. `catalogue` is undefined if nothing is stored. */
  constructor(
    catalogue: Pick<Catalogue, 'neighbour'> | undefined,
    changes: ReadonlyMap<string, { head: PartitionHead | null }>,
  ) {
    this.#catalogue = catalogue
    this.#changes = changes
  }

  /** Returns the nearest day in a direction; undefined if there is none. With `source`, considers only days that have a
   *  layer of that source. */
  async beside(key: PartitionKey, direction: Direction, source?: Source): Promise<StoredDay | undefined> {
    const isOf = (head: PartitionHead) => source === undefined || sourcesOf(head).includes(source)
    const days: StoredDay[] = []
    for (const [date, { head }] of this.#changes) {
      if (head === null || !isOf(head)) continue
      if (direction === 'before' ? date < key.date : date > key.date) days.push({ date, head })
    }
    let from = key
    while (this.#catalogue !== undefined) {
      const stored = await this.#nearestStored(this.#catalogue, from, direction)
      if (stored === undefined) break
      const change = this.#changes.get(stored.date)
      const head = change === undefined ? stored.head : change.head
      if (head !== null && isOf(head)) {
        days.push({ date: stored.date, head })
        break
      }
      from = { ...key, date: stored.date }
    }
    days.sort((one, other) => (one.date < other.date ? -1 : 1))
    return direction === 'before' ? days.at(-1) : days[0]
  }

  #nearestStored(catalogue: Pick<Catalogue, 'neighbour'>, key: PartitionKey, direction: Direction) {
    const name = `${direction} ${key.date}`
    const known = this.#stored.get(name) ?? catalogue.neighbour(key, direction)
    this.#stored.set(name, known)
    return known
  }
}
