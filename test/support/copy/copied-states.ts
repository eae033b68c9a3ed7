// What is known of copies, in memory.

import type { PartitionKey } from '../../../storage/partition-key.ts'
import type { CopiedState, CopiedStates } from '../../../workers/copy/copied-states.ts'

export class MemoryStates implements CopiedStates {
  #states: CopiedState[] = []

  isCopied(key: PartitionKey, records: string): boolean {
    return this.#states.some((state) => isOf(state, key) && state.records === records)
  }

  isCopyOf(key: PartitionKey, source: string, target: string): boolean {
    return this.#states.some((state) => isOf(state, key) && state.source === source && state.target === target)
  }

  note(states: readonly CopiedState[]): void {
    this.#states.push(...states)
  }

  settle(states: readonly CopiedState[]): void {
    this.#states = this.#states.filter(({ key }) => !states.some((state) => isOf(state, key)))
    this.#states.push(...states)
  }
}

const isOf = ({ key }: CopiedState, of: PartitionKey): boolean =>
  key.venue === of.venue && key.market === of.market && key.date === of.date
