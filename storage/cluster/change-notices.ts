// Shared memory in which the listening thread of a node records market changes for the node's other threads: an idle
// thread sleeps and receives no notifications itself.

import { type Listener, nameOf } from './cluster-rows.ts'

/** Markets share counters: a change of another market with the same counter only costs a check. */
const COUNTERS = 1 << 14
const IS_NOTIFIED = COUNTERS
const EPOCH = COUNTERS + 1

export const noticeMemory = (): SharedArrayBuffer => new SharedArrayBuffer(4 * (COUNTERS + 2))

export class ChangeNotices implements Listener {
  readonly #words: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
  }

  changed(markets: Parameters<Listener['changed']>[0]): void {
    for (const market of markets) Atomics.add(this.#words, counterOf(nameOf(market)), 1)
  }

  lost(): void {
    Atomics.store(this.#words, IS_NOTIFIED, 0)
  }

  watching(): void {
    Atomics.add(this.#words, EPOCH, 1)
    Atomics.store(this.#words, IS_NOTIFIED, 1)
  }

  get isNotified(): boolean {
    return Atomics.load(this.#words, IS_NOTIFIED) !== 0
  }

  /** Returns a stamp. Rows of the market that were requested after this call are current while the stamp stays the
   *  same. Returns null while changes may be missed. `name` is the market's name as `nameOf` returns it. */
  stampOf(name: string): number | null {
    if (!this.isNotified) return null
    const epoch = Atomics.load(this.#words, EPOCH)
    return epoch * 2 ** 32 + (Atomics.load(this.#words, counterOf(name)) >>> 0)
  }
}

const counterOf = (name: string): number => Bun.hash.xxHash32(name) % COUNTERS
