// What of all that was handed over is stored, by the leases under which it was recorded: a recorder tells no more than
// that to whoever takes its place.

import type { Fence } from '../../storage/fence.ts'
import type { StoredLines } from './live-loading.ts'
import type { LiveSource } from './live-source.ts'

type Counted = Pick<LiveSource, 'fence' | 'error' | 'storedBefore'> & {
  live: { readonly isWaiting: boolean }
  queue: { readonly firstNumber: number | undefined }
}

type Waiting = Map<string, { fence: Fence; from: number }>

export class StoredCount {
  /** Of segments that cannot be loaded: they stay for the next start. */
  readonly #left: Waiting = new Map()

  /** After a commit that was ended. `count`: of what was handed over. */
  of(sources: Iterable<Counted>, count: number): StoredLines {
    const waiting: Waiting = new Map(this.#left)
    for (const source of sources) {
      const { fence, error, live, queue } = source
      if (fence === null) continue
      if (error === null && !live.isWaiting) source.storedBefore = queue.firstNumber ?? count
      if (source.storedBefore < count || error !== null) lower(waiting, fence, source.storedBefore)
      if (error !== null) lower(this.#left, fence, source.storedBefore)
    }
    return { count, waiting: [...waiting.values()] }
  }
}

function lower(waiting: Waiting, fence: Fence, from: number): void {
  const name = `${fence.lease} ${fence.epoch}`
  waiting.set(name, { fence, from: Math.min(from, waiting.get(name)?.from ?? from) })
}
