// Loads its input in order, and retries after each failure, until all of it is acknowledged.

import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { commitPartitions } from '../../workers/dates/commit-partitions.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import { collectLines } from '../support/collected.ts'
import type { Cluster, Workplace } from './cluster.ts'
import { pauseMs } from './fault-plan.ts'
import type { Load } from './made-loads.ts'

/** Nothing can be added to a damaged day, so a loader gives up after this many tries. */
const DAMAGED_MAX = 3

/** Returns a program that loads the loads in `waiting`. `waiting` outlives the program's processes. */
export const loader = (cluster: Cluster, random: Random, waiting: Load[]) => async (at: Workplace) => {
  const { world } = cluster
  const store = at.openStore({ listens: random.chance(0.3) })
  while (waiting.length > 0) {
    await world.sleep(at.process, pauseMs(random))
    if (await tryLoad(cluster, at, store, waiting[0]!)) waiting.shift()
  }
}

async function tryLoad(cluster: Cluster, at: Workplace, store: Store, load: Load): Promise<boolean> {
  const { world, history, network } = cluster
  const failures = network.failuresOf(at.process)
  at.load = load
  store.refresh()
  try {
    await commitPartitions(store, collectLines(load.lines))
    for (const [market, numbers] of load.numbers) history.acknowledge(market, numbers)
    world.count('loads acknowledged')
    world.note(`${at.process.name} is told of ${load.name}`)
    return true
  } catch (error) {
    world.note(`${at.process.name} fails with ${load.name}: ${error}`)
    if (!(error instanceof DataError)) throw error
    if (error.code === 'store_unavailable' && network.failuresOf(at.process) > failures) return false
    if (error.code !== 'block_corrupt') throw error
    if (error instanceof PartGone) throw error
    if (cluster.broken.size === 0) throw error
    load.damaged++
    return load.damaged >= DAMAGED_MAX
  }
}
