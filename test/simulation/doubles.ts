// The stores as a process is given them: the doubles in memory, behind the network.

import type { ClusterDatabase, Commit, Listener } from '../../storage/cluster/database/cluster-database.ts'
import type { Objects } from '../../storage/cluster/objects/objects.ts'
import type { PieceCache } from '../../storage/cluster/piece-reader.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { Network } from './network.ts'
import type { Process } from './world.ts'

/** So few that lists have several pages. */
const PAGE = 4
const CACHED_MAX = 40

export const shortOf = (key: string): string => key.slice(-64).slice(0, 8)

export function objectsOf(process: Process, network: Network, truth: Objects, put: Objects['put']): Objects {
  const call = <T>(what: string, take: () => Promise<T>) => network.call(process, 'objects', what, take)
  return {
    put: (key, bytes) => call(`put ${shortOf(key)} of ${bytes.length}`, () => put(key, bytes)),
    read: (range) => call(`read ${shortOf(range.key)} ${range.start}+${range.length}`, () => truth.read(range)),
    list: (prefix) =>
      inPages(
        () => truth.list(prefix),
        ({ key }) => key,
        (page) => call('list', page),
      ),
    nowMs: () => call('nowMs', () => truth.nowMs()),
    remove: (keys) => call(`remove ${keys.map(shortOf)}`, () => truth.remove(keys)),
    close: async () => undefined,
  }
}

/** `listens` begins to tell a process what changes; `onCommit` is asked when a commit is sent for what to do when it has taken effect. */
export function databaseOf(
  process: Process,
  network: Network,
  truth: ClusterDatabase,
  listens: (listener: Listener) => void,
  onCommit: () => (commit: Commit, refused: number[]) => void | Promise<void>,
): ClusterDatabase {
  const call = <T>(what: string, take: () => Promise<T>) => network.call(process, 'database', what, take)
  const special: Partial<ClusterDatabase> = {
    commitRows(commit) {
      const took = onCommit()
      const what = `commitRows ${commit.changes.map(({ market, revision }) => `${market}@${revision}`)}`
      return call(what, async () => {
        const refused = await truth.commitRows(commit)
        await took(commit, refused)
        return refused
      })
    },
    partitions: (venue: Venue) =>
      inPages(
        () => truth.partitions(venue),
        ({ market, date }: PartitionKey) => `${market} ${date}`,
        (page) => call('partitions', page),
      ),
    segments: () =>
      inPages(
        () => truth.segments(),
        ({ key }) => key,
        (page) => call('segments', page),
      ),
    listen: (listener) =>
      call('listen', async () => {
        listens(listener)
        return async () => undefined
      }),
    close: async () => undefined,
  }
  return new Proxy(truth, {
    get(_, name) {
      if (Object.hasOwn(special, name)) return special[name as keyof ClusterDatabase]
      const method = truth[name as keyof ClusterDatabase] as (...args: unknown[]) => Promise<unknown>
      return (...args: unknown[]) => call(`${String(name)} ${shown(args)}`, () => method.apply(truth, args))
    },
  })
}

const shown = (args: unknown[]): string =>
  JSON.stringify(args, (_, value) => (value instanceof Uint8Array ? `${value.length} bytes` : value))

/** What is listed may change between pages. */
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

/** The cache of a node, which outlives its process. Some of what it gives is damaged. */
export class DamagedCache implements PieceCache {
  readonly #kept = new Map<string, Uint8Array>()
  readonly #random: Random
  readonly #network: Network

  constructor(random: Random, network: Network) {
    this.#random = random
    this.#network = network
  }

  get(name: string): Uint8Array | undefined {
    const kept = this.#kept.get(name)
    if (kept === undefined || !this.#random.chance(this.#network.weather.cacheDamage)) return kept
    return damaged(kept, this.#random)
  }

  put(pieces: { name: string; bytes: Uint8Array }[]): void {
    for (const { name, bytes } of pieces) this.#kept.set(name, bytes.slice())
    for (const name of this.#kept.keys()) {
      if (this.#kept.size <= CACHED_MAX) break
      this.#kept.delete(name)
    }
  }

  clear(): void {
    this.#kept.clear()
  }

  async close(): Promise<void> {}
}

/** Cut off, or with another bit somewhere. */
export function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.3)) return bytes.slice(0, random.below(bytes.length))
  const changed = bytes.slice()
  const at = random.below(changed.length)
  changed[at] = changed[at]! ^ (1 << random.below(8))
  return changed
}
