// What must hold of the two stores at every moment, whoever is doing what.

import type { MemoryRows } from '../support/cluster/memory-database.ts'
import type { MemoryObjects } from '../support/cluster/memory-objects.ts'
import type { History } from './history.ts'

/** Reads what it has put before any row names it. */
export const COMPACTOR = 'compactor'

/** Throws where a row names what is not there, or the rows are none that commits have made. */
export function requireWhole(
  { rows, segments, state }: MemoryRows,
  stored: MemoryObjects['stored'],
  broken: ReadonlyMap<string, string>,
  history: History,
): void {
  const named = new Map<string, number>()
  for (const [name, days] of rows) {
    for (const [date, { index }] of days) {
      for (const key of index.segments) {
        named.set(key, (named.get(key) ?? 0) + 1)
        if (broken.get(key) === COMPACTOR) throw new Error(`${name} ${date} was moved into ${key}, which is broken`)
        if (!stored.has(key) && !broken.has(key)) throw new Error(`${name} ${date} names ${key}, which is not there`)
      }
      for (const { kind, id, segment, start, length } of index.pieces) {
        const key = index.segments[segment]!
        const end = stored.get(key)?.bytes.length ?? 0
        if (start + length > end && !broken.has(key)) throw new Error(`${kind} ${id} of ${name} ${date} is cut off`)
      }
    }
    const market = name.slice(name.indexOf(' ') + 1)
    const { revision = 0 } = state.markets.get(name) ?? {}
    const commits = history.commits(market)
    if (revision !== commits) throw new Error(`${name} has revision ${revision} after ${commits} commits`)
  }
  for (const [key, count] of named) {
    const known = segments.get(key)
    if (known === undefined || known.isMarked) throw new Error(`${key} is named and not known`)
    if (known.rows !== count) throw new Error(`${key} is named by ${count} rows, and counted as ${known.rows}`)
  }
  for (const [key, { rows: count }] of segments) {
    if (count !== (named.get(key) ?? 0)) throw new Error(`${key} is counted as ${count}, and named by others`)
  }
}
