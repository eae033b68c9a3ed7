// What becomes of each chosen day of a market in the target of a copy. Pure.

import type { StoredDay } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { type CopiedStates, recordsOf, stateOf } from './copied-states.ts'

export type ChosenDay = {
  key: PartitionKey
  head: PartitionHead
  /** `same`: the target has it. `foreign`: it has something else, which is no earlier state of the source's. */
  choice: 'same' | 'copy' | 'foreign'
  /** What the target has of it. */
  before: PartitionHead | null
}

export function chooseDays(
  { venue, market }: { venue: Venue; market: string },
  days: readonly StoredDay[],
  target: ReadonlyMap<string, PartitionHead>,
  states: CopiedStates,
): ChosenDay[] {
  return days.map(({ date, head }) => {
    const key = { venue, market, date }
    const before = target.get(date) ?? null
    if (before === null) return { key, head, choice: 'copy', before }
    const [given, stored] = [stateOf(head), stateOf(before)]
    if (given === stored || states.isCopyOf(key, given, stored)) return { key, head, choice: 'same', before }
    return { key, head, choice: states.isCopied(key, recordsOf(before)) ? 'copy' : 'foreign', before }
  })
}
