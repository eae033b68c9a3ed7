// Counts what a node's threads read from the cache and the bucket, in memory that all of them share.

import type { NodeCounts } from '../maintenance.ts'
import type { NodeMemory } from '../store.ts'
import { noticeMemory } from './change-notices.ts'

type Name = keyof NodeCounts
const NAMES: readonly Name[] = ['hits', 'misses', 'failures', 'reads', 'readBytes', 'failedReads']

export const counterMemory = (): SharedArrayBuffer => new SharedArrayBuffer(8 * NAMES.length)

/** Creates the memory that the threads of a node share. */
export const nodeMemory = (): NodeMemory => ({ notices: noticeMemory(), counters: counterMemory() })

export class NodeCounters {
  readonly #counts: BigInt64Array

  /** `memory` comes from `counterMemory`. If it is left out, the counters are shared with no other thread. */
  constructor(memory: SharedArrayBuffer = counterMemory()) {
    this.#counts = new BigInt64Array(memory)
  }

  count(name: Name, by = 1): void {
    Atomics.add(this.#counts, NAMES.indexOf(name), BigInt(by))
  }

  /** Returns the counts since the memory was created. */
  counts(): NodeCounts {
    const countOf = (index: number) => Number(Atomics.load(this.#counts, index))
    return Object.fromEntries(NAMES.map((name, index) => [name, countOf(index)])) as NodeCounts
  }
}
