// Faults of any store, which tests can switch on: slow or failing calls, refused changes, missing parts.

import { type BlockStore, nameOfPart, type PartId, type PartRef } from '../../../storage/block-store.ts'
import type { Catalogue, MarketChange } from '../../../storage/catalogue.ts'
import { PartGone } from '../../../storage/damage.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'

export type Call = keyof Catalogue | 'fetch'

export type StoreFaults = {
  /** Awaited before each call. It may delay the call or reject it. */
  before?: (call: Call) => Promise<void> | void
  /** Returns whether to refuse a change, as if another writer had changed the market first. */
  refuse?: (change: MarketChange) => boolean
  /** Returns whether a part is already gone when it is fetched. */
  isGone?: (part: PartRef) => boolean
}

type Port = { catalogue: Catalogue; blocks: BlockStore }

/** Wraps a port. Tests may change `faults` while the store is in use. */
export function withFaults({ catalogue, blocks }: Port, faults: StoreFaults): Port {
  const fetch: BlockStore['fetch'] = async (refs) => {
    await faults.before?.('fetch')
    const parts = await blocks.fetch(refs)
    const gone = new Set(refs.filter((ref) => faults.isGone?.(ref)).map(({ key, ...part }) => nameOf(key, part)))
    if (gone.size === 0) return parts
    const assertThere = (key: PartitionKey, part: PartId | Books) => {
      if (gone.has(nameOf(key, part))) throw new PartGone(key, part.kind)
    }
    return {
      bytes(key, part) {
        assertThere(key, part)
        return parts.bytes(key, part)
      },
      books(key) {
        assertThere(key, { kind: 'books' })
        return parts.books(key)
      },
    }
  }
  const commit: Catalogue['commit'] = async (changes) => {
    await faults.before?.('commit')
    const refused = changes.filter((change) => faults.refuse?.(change))
    return [...refused, ...(await catalogue.commit(changes.filter((change) => !refused.includes(change))))]
  }
  const get = (target: Catalogue, name: keyof Catalogue) => {
    if (name === 'commit') return commit
    const method = target[name] as (...given: unknown[]) => unknown
    if (name === 'partitions') return method.bind(target)
    return async (...given: unknown[]) => {
      await faults.before?.(name)
      return method.apply(target, given)
    }
  }
  return {
    catalogue: new Proxy(catalogue, { get: (target, name) => get(target, name as keyof Catalogue) }),
    blocks: { fetch },
  }
}

type Books = { kind: 'books' }

const nameOf = ({ venue, market, date }: PartitionKey, part: PartId | Books): string =>
  `${venue} ${market} ${date} ${part.kind === 'books' ? 'books' : nameOfPart(part)}`
