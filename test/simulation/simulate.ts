// One run of the cluster under a seed. Loaders, nodes and upkeep run while faults happen. Then the faults stop, all
// work is finished, and a new node reads everything.

import { DAY_MS } from '../../storage/units.ts'
import { client } from './client.ts'
import { Cluster } from './cluster.ts'
import { heal } from './heal.ts'
import { loader } from './loader.ts'
import { makeLoads, marketsOf } from './made-loads.ts'
import { reader } from './reader.ts'
import { RecorderGroup } from './recording/recorder-group.ts'
import { COMPACTOR, requireWhole } from './stores-hold.ts'
import { compactor, sweeper } from './upkeep.ts'

const FAULTS_FOR_MS = 3 * DAY_MS
const QUESTIONS = 14
/** Number of ranges that a client reads in pages. */
const RANGES = 6
const UPKEEP_TURNS = 5

/** `digest` is the digest of the trace; `counts` holds how often things happened. */
export type Run = { digest: string; counts: ReadonlyMap<string, number> }

export class SimulationFailure extends Error {}

/** Runs a simulation. Throws SimulationFailure with the trace of what happened before the failure. */
export async function simulate(seed: number): Promise<Run> {
  const cluster = new Cluster(seed, FAULTS_FOR_MS)
  const { world } = cluster
  try {
    world.note(`the fault plan is ${JSON.stringify(cluster.faultPlan)}`)
    cluster.network.onTaken = () => requireWhole(cluster.rows, cluster.stored, cluster.broken, cluster.history)
    const recorderGroup = cluster.faultPlan.hasRecorders ? new RecorderGroup(cluster) : null
    recorderGroup?.start()
    const random = world.random('loads')
    const markets = marketsOf(random)
    const loads = makeLoads(random, markets, random.between(1, 3))
    loads.forEach((waiting, index) => {
      cluster.start(`loader ${index}`, loader(cluster, world.random(`loader ${index}`), waiting))
    })
    const read = [...markets, ...(recorderGroup?.venue.markets ?? [])]
    for (let index = 0; index < 2; index++) {
      cluster.start(`node ${index}`, reader(cluster, world.random(`node ${index}`), read, QUESTIONS))
    }
    cluster.start('client', client(cluster, world.random('client'), markets, RANGES))
    cluster.start(COMPACTOR, compactor(cluster, world.random(COMPACTOR), UPKEEP_TURNS))
    cluster.start('sweeper', sweeper(cluster, world.random('sweeper'), UPKEEP_TURNS))
    await world.run()
    recorderGroup?.finish().catch((error) => world.fail(error))
    await world.run()
    heal(cluster, read)
    await world.run()
    return { digest: world.digest(), counts: world.counts }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    throw new SimulationFailure(`${world.shown.join('\n')}\n${what}`, { cause: error })
  }
}
