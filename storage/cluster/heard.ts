// What the listening thread of a node has heard of changes, in memory that its other threads look into: an idle thread
// sleeps, and hears nothing itself.

import type { Listener } from './database/cluster-database.ts'

/** Markets share counters: a change of another one costs a check, and no more. */
const COUNTERS = 1 << 14
const IS_HEARD = COUNTERS
const EPOCH = COUNTERS + 1

export const heardMemory = (): SharedArrayBuffer => new SharedArrayBuffer(4 * (COUNTERS + 2))

export class Heard implements Listener {
  readonly #words: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
  }

  changed(markets: Parameters<Listener['changed']>[0]): void {
    for (const { venue, market } of markets) Atomics.add(this.#words, counterOf(`${venue} ${market}`), 1)
  }

  lost(): void {
    Atomics.store(this.#words, IS_HEARD, 0)
  }

  heard(): void {
    Atomics.add(this.#words, EPOCH, 1)
    Atomics.store(this.#words, IS_HEARD, 1)
  }

  get isHeard(): boolean {
    return Atomics.load(this.#words, IS_HEARD) !== 0
  }

  /** Rows of a market that were asked for after this are current while it stays the same. Null where changes may pass
   *  unheard. `name` is the venue, a space, and the market. */
  stampOf(name: string): number | null {
    if (!this.isHeard) return null
    const epoch = Atomics.load(this.#words, EPOCH)
    return epoch * 2 ** 32 + (Atomics.load(this.#words, counterOf(name)) >>> 0)
  }
}

const counterOf = (name: string): number => Bun.hash.xxHash32(name) % COUNTERS
