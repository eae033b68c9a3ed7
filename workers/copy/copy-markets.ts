// Copies days of many markets: those of small ones are committed together, one object and one transaction for all.

import type { DateRange } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { BYTES_A_COMMIT, type Copying, MarketCopy, type MarketName, type PlannedCopy } from './market-copy.ts'

const MARKETS_A_COMMIT = 500
const TRIES = 20
/** Markets that are planned at a time: most of the time a plan waits for the cluster. */
const AT_ONCE = 4

type Waiting = { copy: MarketCopy; planned: PlannedCopy; tries: number }

/** `onCopied` is awaited after each. Rejects with DataError('store_unavailable') and DataError('disk_full'). */
export async function copyMarkets(
  copying: Copying,
  names: AsyncIterable<MarketName>,
  range: DateRange,
  onCopied: (copy: MarketCopy) => Promise<void>,
): Promise<void> {
  const copies = new CopiedMarkets(copying, range, onCopied)
  const left = names[Symbol.asyncIterator]()
  let isFailed = false
  const work = async () => {
    try {
      for (let next = await left.next(); !next.done && !isFailed; next = await left.next()) {
        await copies.advance(new MarketCopy(copying, next.value), 1)
      }
    } catch (error) {
      isFailed = true
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  await copies.commitAll()
}

class CopiedMarkets {
  readonly #copying: Copying
  readonly #range: DateRange
  readonly #onCopied: (copy: MarketCopy) => Promise<void>
  #batch: Waiting[] = []
  #bytes = 0

  constructor(copying: Copying, range: DateRange, onCopied: (copy: MarketCopy) => Promise<void>) {
    this.#copying = copying
    this.#range = range
    this.#onCopied = onCopied
  }

  async advance(copy: MarketCopy, tries: number): Promise<void> {
    const planned = await this.#planned(copy, tries)
    if (planned === undefined) return this.#onCopied(copy)
    this.#batch.push(planned)
    this.#bytes += planned.planned.bytes
    if (this.#bytes >= BYTES_A_COMMIT || this.#batch.length >= MARKETS_A_COMMIT) await this.#commit()
  }

  async commitAll(): Promise<void> {
    while (this.#batch.length > 0) await this.#commit()
  }

  /** Undefined where nothing is left to copy. */
  async #planned(copy: MarketCopy, begun: number): Promise<Waiting | undefined> {
    const { source, target } = this.#copying
    for (let tries = begun; tries <= TRIES; tries++) {
      source.refresh()
      target.refresh()
      try {
        const planned = await copy.plan(this.#range)
        if (planned === 'done') return undefined
        if (typeof planned !== 'string') return { copy, planned, tries }
        if (planned === 'more') tries--
      } catch (error) {
        if (!(error instanceof DataError && error.code === 'block_corrupt')) throw error
        copy.result.refused.push({ date: null, why: 'damaged', what: error.message })
        return undefined
      }
    }
    await copy.giveUp(this.#range)
    return undefined
  }

  async #commit(): Promise<void> {
    const { target, states } = this.#copying
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    states.note(batch.flatMap(({ planned }) => planned.states))
    const refused = new Set(await target.catalogue.commit(batch.map(({ planned }) => planned.change)))
    target.refresh()
    const unfinished: { copy: MarketCopy; tries: number }[] = []
    for (const { copy, planned, tries } of batch) {
      const isRefused = refused.has(planned.change)
      if (!isRefused) await copy.finish(planned)
      if (!isRefused && planned.isLast) await this.#onCopied(copy)
      else unfinished.push({ copy, tries: isRefused ? tries + 1 : 1 })
    }
    for (const { copy, tries } of unfinished) await this.advance(copy, tries)
  }
}
