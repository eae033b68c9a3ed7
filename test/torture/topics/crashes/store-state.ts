// Everything that a store holds, as a digest for each partition. Verifies the store first.

import { blockPart, statePart } from '../../../../storage/block-store.ts'
import { type OpenStore, openStore, type Store } from '../../../../storage/open-store.ts'
import type { PartitionKey } from '../../../../storage/partition-key.ts'
import { VENUES } from '../../../../storage/venue.ts'
import { partsOfPartition } from '../../../../workers/partition/needed-parts.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'
import { searchDamageIn } from '../../../support/finding/search-damage.ts'

/** Digests by venue, market and date. */
export type StoreState = ReadonlyMap<string, string>

/** Maximum number of used slots of the reader table after all other processes were killed. */
const READERS_MAX = 24

/** Opens the store after a crash, and returns its state. Throws if it is damaged. */
export async function stateOf(folder: string): Promise<StoreState> {
  const store = openStore(folder)
  try {
    const state = await verifiedState(store)
    const damage = await searchDamageIn(folder)
    if (damage.length > 0) throw new Error(`the index of the store is wrong: ${damage.join('; ')}`)
    const { readers } = await store.maintenance.stats()
    if (readers > READERS_MAX) throw new Error(`${readers} slots of readers are taken by those that were killed`)
    return state
  } finally {
    await store.close()
  }
}

/** Returns the state. Throws if the store is damaged. */
export async function verifiedState(store: OpenStore): Promise<StoreState> {
  const { damage, storeDamage } = await verifyStore(store, () => undefined)
  const found = [...storeDamage, ...damage.map((each) => JSON.stringify(each))]
  if (found.length > 0) throw new Error(`the store is damaged: ${found.slice(0, 5).join('; ')}`)
  const state = new Map<string, string>()
  for (const venue of VENUES) {
    for await (const key of store.catalogue.partitions(venue))
      state.set(`${venue} ${key.market} ${key.date}`, await digest(store, key))
  }
  return state
}

async function digest({ catalogue, blocks }: Store, key: PartitionKey): Promise<string> {
  const head = (await catalogue.head(key))!
  const parts = await blocks.fetch(partsOfPartition(key, head))
  const hasher = new Bun.CryptoHasher('blake2b256')
  hasher.update(JSON.stringify(head))
  const { opening, closing } = parts.books(key)
  for (const books of [opening, closing]) hasher.update(books ?? 'none')
  for (const { id, stateId } of head.blocks) {
    hasher.update(parts.bytes(key, blockPart(id)))
    if (stateId > 0) hasher.update(parts.bytes(key, statePart(stateId)))
  }
  return hasher.digest('hex')
}

export function isSame(one: StoreState, other: StoreState): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value)
}

/** Throws if a partition is as in none of the stages. Returns how many partitions are as in the last stage and not as
 *  in the first. */
export function assertAmong(state: StoreState, stages: readonly StoreState[]): number {
  const [first, last] = [stages[0]!, stages.at(-1)!]
  let changed = 0
  for (const key of new Set([...state.keys(), ...stages.flatMap((stage) => [...stage.keys()])])) {
    const found = state.get(key)
    if (stages.every((stage) => stage.get(key) !== found)) throw new Error(`${key} is neither as before nor as after`)
    if (found !== first.get(key) && found === last.get(key)) changed++
  }
  return changed
}
