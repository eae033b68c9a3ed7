// Parts in memory. A reader sees only parts that it has fetched, as they were then. So a computation fails if its plan
// left out a part.

import {
  type BlockStore,
  NotFetched,
  nameOfPart,
  type PartId,
  type PartitionBooks,
  type PartRef,
  type Parts,
} from '../../../storage/block-store.ts'
import { PartGone } from '../../../storage/damage.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'
import { idOf, type MemoryDay, type MemoryState, nameOf } from './memory-state.ts'

export class MemoryBlockStore implements BlockStore {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async fetch(refs: PartRef[]): Promise<Parts> {
    const fetched = new Map<string, Uint8Array | PartitionBooks | undefined>()
    for (const { key, ...part } of refs) {
      const day = this.#state.markets.get(nameOf(key.venue, key.market))?.days.get(key.date)
      fetched.set(refOf(key, part), part.kind === 'books' ? day?.books : day?.parts.get(idOf(part)))
    }
    const found = <T>(key: PartitionKey, part: PartId | Books): T => {
      const ref = refOf(key, part)
      const name = part.kind === 'books' ? 'books' : nameOfPart(part)
      if (!fetched.has(ref)) throw new NotFetched(`${name} of ${nameOf(key.venue, key.market)} on ${key.date}`)
      const value = fetched.get(ref)
      if (value === undefined) throw new PartGone(key, name)
      return value as T
    }
    return {
      bytes: (key, part) => found<Uint8Array>(key, part),
      books: (key) => found<MemoryDay['books']>(key, { kind: 'books' }),
    }
  }
}

type Books = { kind: 'books' }

const refOf = ({ venue, market, date }: PartitionKey, part: PartId | Books): string =>
  `${venue} ${market} ${date} ${part.kind === 'books' ? 'books' : idOf(part)}`
