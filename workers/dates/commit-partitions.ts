// Commits collected partitions. Plans each market without a lock. The commit of a market takes effect only if it has
// not changed since; otherwise it is planned again.

import type { MarketChange } from '../../storage/catalogue.ts'
import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { storedRecords } from '../../storage/format/head-layers.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { withRetry } from '../../storage/retry/with-retry.ts'
import type { Venue } from '../../storage/venue.ts'
import { withoutCollecting } from '../collect-garbage.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { MarketPlan } from './market-plan.ts'

/** `changed` are names of market days. */
export type Committed = { recordsAdded: number; changed: Set<string> }
export type MarketName = { venue: Venue; market: string }

/** Gives up after 1,000 conflicts: other writers are making progress. */
const TRIES = 1_000
const READS = 5
const PLANNED_AT_ONCE = 64

/** Returns what was committed. `onPlanned` is called after each partition. Throws DataError. */
export async function commitPartitions(
  store: Store,
  partitions: readonly CollectedPartition[],
  onPlanned: () => void = () => {},
): Promise<Committed> {
  const committed: Committed = { recordsAdded: 0, changed: new Set() }
  let waiting = byMarket(partitions)
  for (let tries = 1; waiting.size > 0; tries++) {
    const changes = await planMarkets(store, [...waiting.values()], onPlanned)
    const refused = new Set(changes.length === 0 ? [] : await withoutCollecting(() => store.catalogue.commit(changes)))
    for (const change of changes) if (!refused.has(change)) count(committed, change)
    waiting = new Map([...refused].map((change) => [nameOf(change), waiting.get(nameOf(change))!]))
    if (waiting.size === 0) break
    if (tries === TRIES)
      throw new DataError('store_unavailable', 'Other processes change the same markets all the time')
    store.refresh()
  }
  return committed
}

/** Plans several markets at a time, so that a remote store can answer their requests together. */
async function planMarkets(
  store: Store,
  markets: readonly CollectedPartition[][],
  onPlanned: () => void,
): Promise<MarketChange[]> {
  const planned: MarketChange[] = []
  let next = 0
  const plan = async () => {
    while (next < markets.length) {
      const index = next++
      const days = markets[index]!
      planned[index] = await planMarket(store, days, onPlanned)
    }
  }
  await Promise.all(Array.from({ length: Math.min(PLANNED_AT_ONCE, markets.length) }, plan))
  return planned.filter(({ partitions }) => partitions.length > 0)
}

function planMarket(store: Store, days: CollectedPartition[], onPlanned: () => void): Promise<MarketChange> {
  const { venue, market } = days[0]!.key
  const plan = async () => {
    const plan = await MarketPlan.begin(store, venue, market)
    for (const day of days) {
      await plan.add(day)
      onPlanned()
    }
    return plan.change()
  }
  // Another process may have committed since the heads were read.
  const isPassing = (error: unknown) => error instanceof PartGone
  return withRetry(plan, { attempts: READS, isPassing, onRetry: store.refresh })
}

function byMarket(partitions: readonly CollectedPartition[]): Map<string, CollectedPartition[]> {
  const markets = new Map<string, CollectedPartition[]>()
  for (const partition of partitions) {
    const name = nameOf(partition.key)
    const days = markets.get(name)
    if (days === undefined) markets.set(name, [partition])
    else days.push(partition)
  }
  return markets
}

const nameOf = ({ venue, market }: { venue: string; market: string }): string => `${venue} ${market}`

function count(committed: Committed, change: MarketChange): void {
  for (const { key, before, head, put } of change.partitions) {
    // Without new parts, only what recorders received has changed, which changes no answer by itself.
    if (head !== null && put.length === 0) continue
    committed.changed.add(`${nameOf(change)} ${key.date}`)
    committed.recordsAdded += recordsIn(head) - recordsIn(before)
  }
}

const recordsIn = (head: PartitionHead | null): number => (head === null ? 0 : storedRecords(head))
