// One run of the cluster under a seed: loaders, nodes and upkeep while things go wrong; then all goes well, everything is
// brought to an end, and a new node sees all of it.

import { NO_CACHE } from '../../storage/cluster/piece-reader.ts'
import type { StoreOnDisk } from '../../storage/open-store.ts'
import { verifyStore } from '../../workers/verify/verify-store.ts'
import { Cluster } from './cluster.ts'
import { loader } from './loader.ts'
import { makeLoads, marketsOf } from './made-loads.ts'
import { Node, reader } from './reader.ts'
import { requireWhole } from './stores-hold.ts'
import { Process } from './world.ts'

const FAULTS_FOR_MS = 20_000
const QUESTIONS = 8

const NO_MAINTENANCE = { indexDamage: () => [], valueDamage: () => [] } as unknown as StoreOnDisk['maintenance']

/** `digest` is of the trace; `counts` say how often things happened. */
export type Run = { digest: string; counts: ReadonlyMap<string, number> }

export class SimulationFailure extends Error {}

/** Throws SimulationFailure, with what happened before. */
export async function simulate(seed: number): Promise<Run> {
  const cluster = new Cluster(seed, FAULTS_FOR_MS)
  const { world } = cluster
  try {
    world.note(`the weather is ${JSON.stringify(cluster.weather)}`)
    cluster.network.onTaken = () => requireWhole(cluster.rows, cluster.stored, cluster.broken, cluster.history)
    const random = world.random('loads')
    const markets = marketsOf(random)
    const loads = makeLoads(random, markets, random.between(1, 3))
    loads.forEach((waiting, index) => {
      cluster.start(`loader ${index}`, loader(cluster, world.random(`loader ${index}`), waiting))
    })
    for (let index = 0; index < 2; index++) {
      cluster.start(`node ${index}`, reader(cluster, world.random(`node ${index}`), markets, QUESTIONS))
    }
    await world.run()
    await heal(cluster, markets)
    await world.run()
    return { digest: world.digest(), counts: world.counts }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    throw new SimulationFailure(`${world.shown.join('\n')}\n${what}`, { cause: error })
  }
}

async function heal(cluster: Cluster, markets: readonly string[]): Promise<void> {
  const { world, history, broken } = cluster
  const process = new Process('new node', 0, () => undefined)
  const at = cluster.workplaceOf(process, NO_CACHE)
  const work = async () => {
    const { damage } = await verifyStore(Object.assign(at.store as StoreOnDisk, { maintenance: NO_MAINTENANCE }))
    if (damage.length > 0 && broken.size === 0) throw new Error(`damage: ${JSON.stringify(damage)}`)
    const node = new Node(cluster, at, world.random('new node'))
    for (const market of markets) {
      await node.read(market)
      for (const number of history.acknowledged(market)) {
        if (!history.latest(market).has(number)) throw new Error(`record ${number} of ${market} is lost`)
      }
    }
  }
  work().catch((error) => world.fail(error))
}
