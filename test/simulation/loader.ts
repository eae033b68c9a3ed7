// Loads what it is given, in order, again after each failure, until all of it is acknowledged.

import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { commitPartitions } from '../../workers/partition/commit-partitions.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import { collectLines } from '../support/collected.ts'
import type { Cluster, Workplace } from './cluster.ts'
import type { Load } from './made-loads.ts'
import { isGraceShort } from './weather.ts'

/** What is damaged cannot be added to: after so many tries it is left. */
const DAMAGED_MAX = 3

/** `waiting` outlives its processes. */
export const loader = (cluster: Cluster, random: Random, waiting: Load[]) => async (at: Workplace) => {
  const { world } = cluster
  while (waiting.length > 0) {
    await world.sleep(at.process, random.burst(100))
    const load = waiting[0]!
    const isStored = await tryLoad(cluster, at, load)
    if (isStored) waiting.shift()
    else await world.sleep(at.process, random.burst(2_000))
  }
}

async function tryLoad(cluster: Cluster, at: Workplace, load: Load): Promise<boolean> {
  const { world, history, network } = cluster
  const failures = network.failuresOf(at.process)
  at.load = load
  at.store.refresh()
  try {
    await commitPartitions(at.store, collectLines(load.lines))
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
    if (cluster.broken.size === 0) {
      if (isGraceShort(cluster.weather)) return false
      throw error
    }
    load.damaged++
    return load.damaged >= DAMAGED_MAX
  }
}
