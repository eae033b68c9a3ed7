// The check of the store's index while a server has the store open: LMDB trusts what it maps, and a damaged page that
// it walks ends the process. Small parts, by the threads that answer, one after another and again from the beginning.

import { setTimeout as pause } from 'node:timers/promises'
import type { IndexPart, IndexRequest } from '../requests.ts'

/** Since the start: pages that were looked at, and how often the end of the index was reached. */
export type IndexFigures = { pages: number; passes: number }

/** A millisecond or two of a thread; nobody is answered yet while the first are checked. */
const [PART_PAGES, FIRST_PART_PAGES] = [256, 512]
/** Between parts, and how much longer than the part before took, at least: where a disk is slow. */
const [PAUSE_MS, PAUSE_TIMES] = [1_000, 20]

export type IndexWatchOptions = {
  check: (request: IndexRequest) => Promise<IndexPart>
  /** Told after each part, damaged or not. */
  onPart: () => void
  /** Another than the usual is for tests. */
  pauseMs?: number
}

export class IndexWatch {
  readonly #options: IndexWatchOptions
  readonly #stopped = new AbortController()
  readonly #figures: IndexFigures = { pages: 0, passes: 0 }
  #cursor: IndexPart['next'] = null

  constructor(options: IndexWatchOptions) {
    this.#options = options
  }

  /** Resolves when all of the index was checked once, or after `waitMs`; goes on until it is stopped. */
  async start(waitMs: number): Promise<void> {
    const untilMs = performance.now() + waitMs
    while (this.#figures.passes === 0 && performance.now() < untilMs) {
      if (!(await this.#part(FIRST_PART_PAGES))) break
    }
    void this.#goOn()
  }

  figures(): IndexFigures {
    return { ...this.#figures }
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stopped
    const { pauseMs = PAUSE_MS } = this.#options
    let tookMs = 0
    for (;;) {
      await pause(Math.max(pauseMs, PAUSE_TIMES * tookMs), undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      const begunMs = performance.now()
      await this.#part(PART_PAGES)
      tookMs = performance.now() - begunMs
    }
  }

  /** Whether there was an answer: a thread may have ended, and another takes its place. */
  async #part(pages: number): Promise<boolean> {
    const part = await this.#options.check({ cursor: this.#cursor, pages }).catch(() => undefined)
    if (part === undefined) return false
    this.#cursor = part.next
    this.#figures.pages += part.pages
    if (part.next === null) this.#figures.passes++
    this.#options.onPart()
    return true
  }
}
