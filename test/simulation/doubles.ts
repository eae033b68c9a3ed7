// The stores that a process gets: test doubles in memory, behind the network.

import type { ClusterRows, Listener } from '../../storage/cluster/cluster-rows.ts'
import type { Objects } from '../../storage/cluster/objects/objects.ts'
import type { PieceCache } from '../../storage/cluster/piece-reader.ts'
import { isEntryKey, namesOf } from '../../storage/rows/keys.ts'
import { openMarket } from '../../storage/rows/market-rows.ts'
import type { RowCommit, Rows } from '../../storage/rows/rows.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { MemoryClusterRows } from '../support/cluster/memory-cluster-rows.ts'
import { revisionOf } from './listening.ts'
import type { Network } from './network.ts'
import type { Process } from './world.ts'

/** Entries in a page; few, so that lists have several pages. */
const PAGE = 4
const CACHED_MAX = 40

export const shortOf = (key: string): string => key.slice(-64).slice(0, 8)

export function objectsOf(process: Process, network: Network, backing: Objects, put: Objects['put']): Objects {
  const call = <T>(what: string, take: () => Promise<T>) => network.call(process, 'objects', what, take)
  return {
    put: (key, bytes) => call(`put ${shortOf(key)} of ${bytes.length}`, () => put(key, bytes)),
    read: (range) => call(`read ${shortOf(range.key)} ${range.start}+${range.length}`, () => backing.read(range)),
    list: (prefix) =>
      inPages(
        () => backing.list(prefix),
        ({ key }) => key,
        (page) => call('list', page),
      ),
    nowMs: () => call('nowMs', () => backing.nowMs()),
    remove: (keys) => call(`remove ${keys.map(shortOf)}`, () => backing.remove(keys)),
    close: async () => undefined,
  }
}

/** A market that a commit has changed, and the revision that the change was planned on. */
export type ChangedMarket = { market: string; revision: number }

/** Returns the markets whose content a commit changes. A move of pieces changes the entry of a market, but not its
 *  revision. */
function changedMarkets(rows: MemoryClusterRows, { put }: RowCommit): ChangedMarket[] {
  return put.flatMap(({ key, value }) => {
    if (!isEntryKey(key)) return []
    const [venue, market] = namesOf(key) as [Venue, string]
    const { revision } = openMarket(key, value)
    return revision > revisionOf(rows, venue, market) ? [{ market, revision: revision - 1 }] : []
  })
}

/** `listens` starts to report changes to a process. `onCommit` is called when a commit is sent; the function that it
 *  returns is called when the commit has taken effect. */
export function rowsOf(
  process: Process,
  network: Network,
  backing: MemoryClusterRows,
  listens: (listener: Listener) => void,
  onCommit: () => (changes: ChangedMarket[]) => void | Promise<void>,
): ClusterRows {
  const call = <T>(what: string, take: () => Promise<T>) => network.call(process, 'database', what, take)
  const rows: Rows = {
    get: (keys) => call(`get ${shown(keys)}`, () => backing.get(keys)),
    range: (page) => call(`range ${shown(page)}`, () => backing.range(page)),
    keys: (page) => call(`keys ${shown(page)}`, () => backing.keys(page)),
    count: (range, limit) => call(`count ${shown(range)}`, () => backing.count(range, limit)),
    commit(commit) {
      const took = onCommit()
      return call(`commit ${commit.put.length} rows`, async () => {
        const changes = changedMarkets(backing, commit)
        const changed = await backing.commit(commit)
        if (changed.length === 0 && changes.length > 0) await took(changes)
        return changed
      })
    },
    refresh: () => undefined,
  }
  return {
    ...rows,
    listen: (listener) =>
      call('listen', async () => {
        listens(listener)
        return async () => undefined
      }),
    snapshot: (work) => work(rows),
    close: async () => undefined,
  }
}

const shown = (given: unknown): string => JSON.stringify(given)

/** Lists in pages. The content may change between two pages. */
async function* inPages<T>(
  list: () => AsyncIterable<T>,
  nameOf: (each: T) => string,
  call: (page: () => Promise<T[]>) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let after = ''; ; ) {
    const page = await call(async () => {
      const found = (await Array.fromAsync(list())).filter((each) => nameOf(each) > after)
      return found.slice(0, PAGE)
    })
    yield* page
    if (page.length < PAGE) return
    after = nameOf(page.at(-1)!)
  }
}

/** The cache of a node, which outlives its process. Returns some pieces damaged. */
export class DamagedCache implements PieceCache {
  readonly #cached = new Map<string, Uint8Array>()
  readonly #random: Random
  readonly #network: Network

  constructor(random: Random, network: Network) {
    this.#random = random
    this.#network = network
  }

  get(name: string): Uint8Array | undefined {
    const cached = this.#cached.get(name)
    if (cached === undefined || !this.#random.chance(this.#network.faultPlan.cacheDamage)) return cached
    return damaged(cached, this.#random)
  }

  put(pieces: { name: string; bytes: Uint8Array }[]): void {
    for (const { name, bytes } of pieces) this.#cached.set(name, bytes.slice())
    for (const name of this.#cached.keys()) {
      if (this.#cached.size <= CACHED_MAX) break
      this.#cached.delete(name)
    }
  }

  clear(): void {
    this.#cached.clear()
  }

  async close(): Promise<void> {}
}

/** Returns a copy that is cut off or has one bit flipped. */
export function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.3)) return bytes.slice(0, random.below(bytes.length))
  const changed = bytes.slice()
  const at = random.below(changed.length)
  changed[at] = changed[at]! ^ (1 << random.below(8))
  return changed
}
