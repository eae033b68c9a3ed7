// Requests pages of records from the workers: only a few at a time for one replay, so that many markets do not occupy
// many threads.

import { DataError } from '../../storage/failures.ts'
import { withRetry } from '../../storage/retry/with-retry.ts'
import type { ReplayPageHead, ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import { replayPageTask } from '../../workers/tasks/replay-page.ts'
import type { ReplayTimers } from './timers.ts'

const AT_ONCE = 4
/** Pause before a page is requested again, if the workers are busy or a thread has ended. */
const AGAIN_MS = 100
const PASSING: readonly string[] = ['overloaded', 'work_lost', 'store_unavailable', 'blocks_unavailable']
const ATTEMPTS = 600

export type RequestedPage = { head: ReplayPageHead; bytes: Uint8Array }

export class PageSource {
  readonly #workers: Pick<Workers, 'ask'>
  readonly #timers: ReplayTimers
  readonly #waiting: (() => void)[] = []
  #running = 0
  #isClosed = false

  constructor(workers: Pick<Workers, 'ask'>, timers: ReplayTimers) {
    this.#workers = workers
    this.#timers = timers
  }

  /** Requests a page. Rejects with DataError: block_corrupt, cursor_stale, and other failures that are not
   *  temporary. */
  async ask(request: ReplayPageRequest): Promise<RequestedPage> {
    if (this.#running >= AT_ONCE) await new Promise<void>((enter) => this.#waiting.push(enter))
    this.#running++
    try {
      return await this.#askWithRetry(request)
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  /** Stops retries: no page is needed any more. */
  close(): void {
    this.#isClosed = true
  }

  #askWithRetry(request: ReplayPageRequest): Promise<RequestedPage> {
    const once = async () => {
      const { data, ...head } = await this.#workers.ask(replayPageTask, request)
      return { head, bytes: await wholeOf(data) }
    }
    const isPassing = (error: unknown) => !this.#isClosed && error instanceof DataError && PASSING.includes(error.code)
    return withRetry(once, { attempts: ATTEMPTS, isPassing, waitMs: () => AGAIN_MS, timers: this.#timers })
  }
}

async function wholeOf(data: AnswerBytes): Promise<Uint8Array> {
  if ('bytes' in data) return data.bytes
  return Bun.concatArrayBuffers(await Array.fromAsync(data.chunks), Number.POSITIVE_INFINITY, true)
}
