// The end of a run: faults stop, upkeep finishes, and a new node reads everything.

import { NO_CACHE } from '../../storage/cluster/piece-reader.ts'
import { BOOKS, nameOfPiece } from '../../storage/cluster/segment/pieces.ts'
import { segmentIn } from '../../storage/cluster/segment/segment-rows.ts'
import { clusterDamage } from '../../storage/cluster/upkeep/cluster-damage.ts'
import { compact } from '../../storage/cluster/upkeep/compact.ts'
import { namedSegments } from '../../storage/cluster/upkeep/stored-segments.ts'
import { sweep } from '../../storage/cluster/upkeep/sweep.ts'
import type { Store, StoreOnDisk } from '../../storage/open-store.ts'
import { below, namesOf } from '../../storage/rows/keys.ts'
import { headIn } from '../../storage/rows/market-rows.ts'
import { DAY_MS } from '../../storage/units.ts'
import { partsOfPartition } from '../../workers/partition/needed-parts.ts'
import { verifyStore } from '../../workers/verify/verify-store.ts'
import type { MemoryClusterRows } from '../support/cluster/memory-cluster-rows.ts'
import { searchDamage } from '../support/finding/search-damage.ts'
import type { Cluster, Workplace } from './cluster.ts'
import { Node } from './reader.ts'
import { dayOf, placementIn } from './stores-hold.ts'
import { BEFORE } from './upkeep.ts'
import { Process } from './world.ts'

const NO_MAINTENANCE = { indexDamage: () => [], valueDamage: () => [] } as unknown as StoreOnDisk['maintenance']

export function heal(cluster: Cluster, markets: readonly string[]): void {
  const process = new Process('new node', 0, () => undefined)
  const at = cluster.workplaceOf(process, NO_CACHE)
  const work = async () => {
    const store = at.openStore({ listens: false })
    await readAll(cluster, process, store, markets)
    await finishUpkeep(cluster, at)
    await readAll(cluster, process, store, markets)
    const { damage } = await verifyStore(Object.assign(store as StoreOnDisk, { maintenance: NO_MAINTENANCE }))
    if (damage.length > 0 && cluster.broken.size === 0) throw new Error(`damage: ${JSON.stringify(damage)}`)
    cluster.world.note('everything is well')
  }
  work().catch((error) => cluster.world.fail(error))
}

async function readAll(cluster: Cluster, process: Process, store: Store, markets: readonly string[]): Promise<void> {
  const node = new Node(cluster, process, store, cluster.world.random('new node'))
  for (const market of markets) {
    await node.read(market)
    const latest = cluster.history.latest(market)
    for (const number of cluster.history.acknowledged(market)) {
      if (!latest.has(number)) throw new Error(`record ${number} of ${market} is lost`)
    }
  }
}

/** Runs upkeep until nothing is left to do. Throws if an object remains that no row names. */
async function finishUpkeep({ world, objects, stored, broken, rows }: Cluster, at: Workplace): Promise<void> {
  await compact(at, { before: BEFORE })
  if (broken.size === 0 && rows.list(below('h')).some(({ key }) => namesOf(key)[1]! < BEFORE)) {
    throw new Error('days are not compacted')
  }
  // The second sweep removes objects that no row ever named.
  for (const days of [2, 31]) {
    await world.sleep(at.process, days * DAY_MS)
    await sweep(at, { isForced: true })
  }
  const named = new Set((await Array.fromAsync(namedSegments(rows))).map(({ key }) => key))
  for (const key of stored.keys()) if (!named.has(key)) throw new Error(`${key} is left, and nothing names it`)
  for (const { key } of [...rows.list(below('o')), ...rows.list(below('q'))]) {
    if (!named.has(segmentIn(key))) throw new Error(`the row of ${segmentIn(key)} is left`)
  }
  requireNothingElse(rows)
  const damage = broken.size === 0 ? await clusterDamage({ objects, rows }) : []
  damage.push(...(await searchDamage(rows)))
  if (damage.length > 0) throw new Error(damage.join('; '))
}

/** Throws if the placement in a day's row has other pieces than the head needs: a segment that has only such pieces
 *  would never be removed. */
function requireNothingElse(rows: MemoryClusterRows): void {
  for (const row of rows.list(below('d'))) {
    const key = dayOf(row)
    const parts = partsOfPartition(key, headIn(key, row.value)).map((part) => (part.kind === 'books' ? BOOKS : part))
    const [needed, there] = [parts, placementIn(key, row).pieces].map((each) => each.map(nameOfPiece).sort().join(', '))
    if (needed !== there) throw new Error(`${key.market} ${key.date} has the pieces ${there}, and needs ${needed}`)
  }
}
