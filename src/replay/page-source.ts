// Asks the workers for pages of records: of one replay a few at a time, so that many markets are not many threads.

import { DataError } from '../../storage/failures.ts'
import type { ReplayPageHead, ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import { replayPageTask } from '../../workers/tasks/replay-page.ts'
import type { Timers } from './timers.ts'

const AT_ONCE = 4
/** The workers are busy, or a thread has ended: the page is asked for again. */
const AGAIN_MS = 100
const PASSING: readonly string[] = ['overloaded', 'work_lost', 'store_unavailable', 'blocks_unavailable']
const TRIES = 600

export type AskedPage = { head: ReplayPageHead; bytes: Uint8Array }

export class PageSource {
  readonly #workers: Pick<Workers, 'ask'>
  readonly #timers: Timers
  readonly #waiting: (() => void)[] = []
  #running = 0
  #isClosed = false

  constructor(workers: Pick<Workers, 'ask'>, timers: Timers) {
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

  async #insist(request: ReplayPageRequest): Promise<AskedPage> {
    for (let tries = 1; ; tries++) {
      try {
        const { data, ...head } = await this.#workers.ask(replayPageTask, request)
        return { head, bytes: await wholeOf(data) }
      } catch (error) {
        const isPassing = error instanceof DataError && PASSING.includes(error.code)
        if (!isPassing || tries === TRIES || this.#isClosed) throw error
        await new Promise<void>((resolve) => void this.#timers.after(AGAIN_MS, resolve))
      }
    }
  }
}

async function wholeOf(data: AnswerBytes): Promise<Uint8Array> {
  if ('bytes' in data) return data.bytes
  const chunks: Uint8Array[] = []
  for await (const chunk of data.chunks) chunks.push(chunk)
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
