// The end of a run: all goes well, upkeep is done, and a new node sees everything.

import { NO_CACHE } from '../../storage/cluster/piece-reader.ts'
import { BOOKS, nameOfPiece } from '../../storage/cluster/segment/pieces.ts'
import { compact } from '../../storage/cluster/upkeep/compact.ts'
import { sweep } from '../../storage/cluster/upkeep/sweep.ts'
import type { Store, StoreOnDisk } from '../../storage/open-store.ts'
import { DAY_MS } from '../../storage/units.ts'
import { partsOfPartition } from '../../workers/partition/needed-parts.ts'
import { verifyStore } from '../../workers/verify/verify-store.ts'
import type { MemoryDatabase, MemoryRows } from '../support/cluster/memory-database.ts'
import type { Cluster, Workplace } from './cluster.ts'
import { VENUE } from './made-loads.ts'
import { Node } from './reader.ts'
import { BEFORE } from './upkeep.ts'
import { Process } from './world.ts'

const NO_MAINTENANCE = { indexDamage: () => [], valueDamage: () => [] } as unknown as StoreOnDisk['maintenance']

export function heal(cluster: Cluster, markets: readonly string[]): void {
  const process = new Process('new node', 0, () => undefined)
  const at = cluster.workplaceOf(process, NO_CACHE)
  const work = async () => {
    const store = at.openStore({ listens: false })
    await readAll(cluster, process, store, markets)
    await tidy(cluster, at)
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

/** Nothing is left to do, and no object that nothing names. */
async function tidy({ world, database, stored, broken, rows }: Cluster, at: Workplace): Promise<void> {
  await compact(at, { before: BEFORE })
  if (broken.size === 0 && (await database.unmovedDates('kalshi', BEFORE)).length > 0) throw new Error('unmoved days')
  // Twice: the second one forgets the marks of the first.
  for (const days of [2, 31]) {
    await world.sleep(at.process, days * DAY_MS)
    await sweep(at, { isForced: true })
  }
  const named = new Set((await Array.fromAsync(database.segments())).map(({ key }) => key))
  for (const key of stored.keys()) if (!named.has(key)) throw new Error(`${key} is left, and nothing names it`)
  for (const key of rows.segments.keys()) if (!named.has(key)) throw new Error(`the mark of ${key} is left`)
  await requireNothingElse(database, rows)
  const damage = await database.damage()
  if (damage.length > 0) throw new Error(damage.join('; '))
}

/** The index of each day has the pieces that its head has, and no others: they would keep their segments for ever. */
async function requireNothingElse(database: MemoryDatabase, { rows }: MemoryRows): Promise<void> {
  for (const [name, days] of rows) {
    for (const [date, { index }] of days) {
      const key = { venue: VENUE, market: name.slice(VENUE.length + 1), date } as const
      const head = (await database.head(key))!
      const parts = partsOfPartition(key, head).map((part) => (part.kind === 'books' ? BOOKS : part))
      const [needed, there] = [parts, index.pieces].map((each) => each.map(nameOfPiece).sort().join(', '))
      if (needed !== there) throw new Error(`${name} ${date} has the pieces ${there}, and needs ${needed}`)
    }
  }
}
