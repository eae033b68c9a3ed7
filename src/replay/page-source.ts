// Asks the workers for pages of records: of one replay a few at a time, so that many markets are not many threads.

import { DataError } from '../../storage/failures.ts'
import { withRetry } from '../../storage/retry/with-retry.ts'
import type { ReplayPageHead, ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import { replayPageTask } from '../../workers/tasks/replay-page.ts'
import type { ReplayTimers } from './timers.ts'

const AT_ONCE = 4
/** The workers are busy, or a thread has ended: the page is asked for again. */
const AGAIN_MS = 100
const PASSING: readonly string[] = ['overloaded', 'work_lost', 'store_unavailable', 'blocks_unavailable']
const ATTEMPTS = 600

export type AskedPage = { head: ReplayPageHead; bytes: Uint8Array }

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

  /** Rejects with DataError: block_corrupt, cursor_stale, and what does not pass. */
  async ask(request: ReplayPageRequest): Promise<AskedPage> {
    if (this.#running >= AT_ONCE) await new Promise<void>((enter) => this.#waiting.push(enter))
    this.#running++
    try {
      return await this.#insist(request)
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  /** Nobody waits for pages any more: none is asked for again. */
  close(): void {
    this.#isClosed = true
  }

  #insist(request: ReplayPageRequest): Promise<AskedPage> {
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
