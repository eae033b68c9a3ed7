// Compares what recorders have stored with what the venue sent. After every commit, each stored message is there once
// and in order, and no earlier message is lost. At the end, each message that is not stored falls within a recorded
// gap.

import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import type { Store } from '../../../storage/open-store.ts'
import type { Cluster } from '../cluster.ts'
import type { ChangedMarket } from '../doubles.ts'
import { VENUE } from '../made-loads.ts'
import { type RecordedQuestion, recordedAnswer } from './recorded-answers.ts'
import type { SendingVenue } from './venue.ts'

type Line = { type: string; timestamp: number; received_at: number | null; msg: Record<string, unknown> }

type Answers = Record<RecordedQuestion, string>

export class Recorded {
  readonly #cluster: Cluster
  readonly #venue: SendingVenue
  readonly #store: Store
  /** For each market, the correct answers of a node after each commit of the market. */
  readonly #answers = new Map<string, Answers[]>()
  /** For each market, the time from which running recorders have stored it. Segments left on a disk may be older:
   *  they were not stored yet when another recorder took the market. */
  readonly #firstMs = new Map<string, number>()

  constructor(cluster: Cluster, venue: SendingVenue) {
    this.#cluster = cluster
    this.#venue = venue
    const { objects, rows } = cluster
    this.#store = clusterStore({ objects, rows, isEachCallChecked: true })
  }

  has(market: string): boolean {
    return this.#venue.markets.includes(market)
  }

  isAnswer(market: string, commit: number, question: RecordedQuestion, text: string): boolean {
    return commit > 0 && this.#answersOf(market)[commit - 1]![question] === text
  }

  /** Checks the changed markets after a commit of a recorder. `isLive`: the recorder is still running. */
  async took(changes: readonly ChangedMarket[], isLive: boolean): Promise<void> {
    const { history, world } = this.#cluster
    for (const { market, revision } of changes) {
      const range = await recordedAnswer(this.#store, market, 'range')
      const summary = await recordedAnswer(this.#store, market, 'summary')
      const lines = JSON.parse(range) as Line[]
      const numbers = numbersOf(lines)
      this.#requireSentOnce(market, lines)
      const before = history.latest(market)
      const now = new Set(numbers)
      for (const n of before) if (!now.has(n)) throw new Error(`message ${n} of ${market} was stored, and is not`)
      for (const n of now) if (!before.has(n)) world.count('messages stored')
      const firstMs = this.#firstMs.get(market) ?? this.#firstOf(market, range)
      if (isLive && Number.isFinite(firstMs)) this.#firstMs.set(market, firstMs)
      history.took(market, revision, now)
      this.#answersOf(market).push({ range, summary })
    }
  }

  /** Checks that every message is stored or falls within a gap. `apartMs` is the maximum difference between a
   *  recorder's clock and the venue's. */
  async requireComplete(apartMs: number): Promise<void> {
    for (const market of this.#venue.markets) await this.#requireEachMessage(market, apartMs)
  }

  async #requireEachMessage(market: string, apartMs: number): Promise<void> {
    const { world } = this.#cluster
    const lines = await this.#lines(market)
    const stored = new Set(numbersOf(lines))
    const gaps = lines.filter(({ type }) => type === 'gap').map(({ msg }) => msg as { from: number; to: number })
    if (!this.#firstMs.has(market)) throw new Error(`nothing of ${market} is stored`)
    const firstMs = this.#firstMs.get(market)! + apartMs
    for (const [n, { market: of, atMs }] of this.#venue.sent.entries()) {
      if (of !== market || stored.has(n)) continue
      const isInGap = gaps.some(({ from, to }) => from - apartMs <= atMs && atMs <= to + apartMs)
      if (isInGap) world.count('messages within gaps')
      else if (atMs <= firstMs) world.count('messages before the first')
      else
        throw new Error(
          `message ${n} of ${market}, sent at ${atMs}, is neither stored nor in a gap: ${JSON.stringify(gaps)}`,
        )
    }
  }

  requireStored(lines: readonly string[]): void {
    for (const [, n] of lines.join('\n').matchAll(/\\"n\\":(\d+)/g)) {
      const { market } = this.#venue.sent[Number(n)]!
      if (!this.#cluster.history.latest(market).has(Number(n))) throw new Error(`message ${n} on a disk is not stored`)
    }
  }

  #requireSentOnce(market: string, lines: readonly Line[]): void {
    const numbers = numbersOf(lines)
    for (const n of numbers)
      if (this.#venue.sent[n]?.market !== market) throw new Error(`message ${n} was never sent for ${market}`)
    if (new Set(numbers).size < numbers.length) throw new Error(`${market} has a message twice: ${numbers}`)
    // Checks the order only of messages that are stored at their own time. A message that waited in a socket is stored
    // at the time of the gap before it, so it may come after later messages of another recorder.
    const inTime = numbersOf(lines.filter(({ timestamp, msg }) => msg['ts_ms'] === timestamp))
    for (const [index, n] of inTime.entries())
      if (index > 0 && inTime[index - 1]! > n) throw new Error(`${market} has ${n} behind ${inTime[index - 1]}`)
  }

  /** Returns when the first new message of a range was received: one that was not stored before; Unix ms. */
  #firstOf(market: string, range: string): number {
    const before = this.#answersOf(market).at(-1)?.range ?? '[]'
    const known = new Set((JSON.parse(before) as Line[]).map((line) => JSON.stringify(line)))
    const lines = (JSON.parse(range) as Line[]).filter(({ type }) => type !== 'gap')
    const added = lines.filter((line) => !known.has(JSON.stringify(line)))
    return Math.min(...added.map((line) => line.received_at ?? line.timestamp))
  }

  async #lines(market: string): Promise<Line[]> {
    if ((await this.#store.catalogue.market(VENUE, market)) === undefined) return []
    return JSON.parse(await recordedAnswer(this.#store, market, 'range')) as Line[]
  }

  #answersOf(market: string): Answers[] {
    const known = this.#answers.get(market) ?? []
    this.#answers.set(market, known)
    return known
  }
}

const numbersOf = (lines: readonly Line[]): number[] =>
  lines.flatMap(({ msg: { n } }) => (typeof n === 'number' ? [n] : []))
