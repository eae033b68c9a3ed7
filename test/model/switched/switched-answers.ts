// Answers questions about a book of a date with several sources, bucket by bucket and instant by instant.

import { DATE } from '../../support/switched/made-source.ts'
import type { Top } from '../book.ts'
import { type Bucket, bucketSpans, fillBuckets, printBucket } from '../buckets.ts'
import { ONE } from '../exact.ts'
import {
  changesOf,
  type Event,
  eventsOf,
  type InferredGap,
  knownSpans,
  type ModelBook,
  type Span,
  stepsOf,
  type Trust,
} from './switched-book.ts'
import { evidenceOf } from './switched-evidence.ts'

const WORST: readonly Trust[] = ['established', 'observed', 'doubtful', 'lost']
type Range = { fromMs: number; toMs: number }
export type ChangeRow = {
  timestamp: number
  record: number | null
  kind: string
  side: string | null
  price: number | null
  before: number | null
  after: number | null
  trust: Trust
}

export class SwitchedBook {
  readonly events: Event[]
  readonly gaps: InferredGap[]
  readonly known: [number, number][]
  readonly trustAt: (ms: number) => Trust

  constructor(spans: readonly Span[], id: string, isTimed: boolean) {
    this.events = eventsOf(spans, id)
    this.gaps = evidenceOf(spans, this.events, isTimed).gaps
    this.known = knownSpans(this.events)
    this.trustAt = stepsOf(this.events, this.gaps)
  }

  summary({ fromMs, toMs }: Range, seconds: number): (Bucket & { trust: Trust })[] {
    const changes = changesOf(this.events).map(({ ms, book, isQuote }) => ({ time: ms, top: topOf(book), isQuote }))
    const used = changes.filter(({ time }) => time <= toMs)
    const wanted = new Set(this.#buckets({ fromMs, toMs }, seconds).map(({ start }) => start))
    return fillBuckets(bucketSpans(DATE, seconds), used, { bid: null, ask: null })
      .filter(({ start }) => wanted.has(start))
      .map((bucket) => ({
        ...printBucket(bucket, 1),
        trust: this.#worst(bucket.start, Math.min(bucket.end - 1, toMs)),
      }))
  }

  /** Returns the book at the end of each bucket. */
  depth(range: Range, seconds: number) {
    const changes = changesOf(this.events).filter(({ ms }) => ms <= range.toMs)
    return this.#buckets(range, seconds).map(({ start, end }) => {
      const book = changes.findLast(({ ms }) => ms < end)?.book
      return {
        timestamp: start,
        trust: this.#worst(start, Math.min(end - 1, range.toMs)),
        ...levelsOf(book),
      }
    })
  }

  /** Returns the book at an instant, or after a record. */
  bookAt(at: { ms: number } | { record: number }) {
    const behind = this.events.findIndex(({ ms, place }) => ('ms' in at ? ms > at.ms : place > at.record))
    const passed = behind < 0 ? this.events : this.events.slice(0, behind)
    const last = passed.at(-1)
    const since = passed.findLastIndex(({ kind }) => kind === 'switch')
    const isUnknown = last === undefined || (passed[since]?.after.trust === 'unknown' && since === passed.length - 1)
    const trade = passed.findLast(({ kind }) => kind === 'trade')
    return {
      as_of: isUnknown ? null : last.ms,
      record: isUnknown ? null : last.record,
      ...levelsOf(last?.after),
      trade: trade?.record ?? null,
    }
  }

  changes(): ChangeRow[] {
    return this.events.flatMap(({ kind, ms, record, before, after }): ChangeRow[] => {
      if (kind === 'trade') return []
      const about = { timestamp: ms, record, kind: NAMES[kind], trust: this.trustAt(ms) }
      const rows = differencesOf(before, after).map((difference) => ({ ...about, ...difference }))
      if (rows.length > 0 || kind !== 'gap') return rows
      return [{ ...about, side: null, price: null, before: null, after: null }]
    })
  }

  /** Returns the largest size that rested at each price in each time column, positive for bids, negative for asks, and
   *  the known columns. */
  map({ fromMs, toMs }: Range, resolutionMs: number) {
    const count = Math.ceil((toMs + 1 - fromMs) / resolutionMs)
    const columns = Array.from({ length: count }, () => ({
      isKnown: false,
      bids: new Map<number, number>(),
      asks: new Map<number, number>(),
    }))
    for (const [from, to, book] of this.#stretches()) {
      for (const [knownFrom, knownTo] of this.known) {
        const [start, end] = [Math.max(from, knownFrom, fromMs), Math.min(to, knownTo + 1, toMs + 1)]
        if (start >= end || book.trust === 'lost' || book.trust === 'unknown') continue
        for (let column = Math.floor((start - fromMs) / resolutionMs); fromMs + column * resolutionMs < end; column++) {
          const at = columns[column]!
          at.isKnown = true
          for (const [price, size] of book.bids) at.bids.set(price, Math.max(size, at.bids.get(price) ?? 0))
          for (const [price, size] of book.asks) at.asks.set(price, Math.max(size, at.asks.get(price) ?? 0))
        }
      }
    }
    const cells = columns.flatMap(({ bids, asks }, column) => {
      const prices = [...new Set([...bids.keys(), ...asks.keys()])]
      return prices.map((price) => {
        const [bid, ask] = [bids.get(price) ?? 0, asks.get(price) ?? 0]
        return `${column} ${price} ${bid >= ask ? bid : -ask}`
      })
    })
    return { cells: cells.sort(), known: columns.flatMap(({ isKnown }, column) => (isKnown ? [column] : [])) }
  }

  /** Returns each state of the book and the interval in which it holds; `to` is exclusive. */
  #stretches(): [from: number, to: number, book: ModelBook][] {
    return this.events.map(({ ms, after }, i) => [ms, this.events[i + 1]?.ms ?? Number.POSITIVE_INFINITY, after])
  }

  #buckets({ fromMs, toMs }: Range, seconds: number) {
    return bucketSpans(DATE, seconds).filter(({ start, end }) => {
      const isKnown = this.known.some(([from, to]) => from <= toMs && start <= to && end > from)
      return isKnown && start >= fromMs && start <= toMs
    })
  }

  /** Returns the worst trust that the book had, or `unknown` if it was never known. */
  #worst(fromMs: number, toMs: number): Trust {
    const instants = [
      fromMs,
      ...this.events.map(({ ms }) => ms),
      ...this.gaps.flatMap((gap) => [gap.fromMs, gap.toMs ?? -1]),
    ]
    const held = instants.filter((ms) => ms >= fromMs && ms <= toMs).map((ms) => this.trustAt(ms))
    return WORST.findLast((trust) => held.includes(trust)) ?? 'unknown'
  }
}

const NAMES = { snapshot: 'snapshot', delta: 'level', gap: 'gap', switch: 'snapshot' } as const

const best = (levels: ModelBook['bids'], isBid: boolean) =>
  [...levels].sort(([a], [b]) => (isBid ? b - a : a - b)).map(([price, size]): [number, number] => [price / 100, size])

const levelsOf = (book: ModelBook | undefined) => ({
  bids: book === undefined ? [] : best(book.bids, true),
  asks: book === undefined ? [] : best(book.asks, false),
})

function topOf({ bids, asks }: ModelBook): Top {
  const level = ([first]: [number, number][]) =>
    first === undefined
      ? null
      : { price: (BigInt(Math.round(100 * first[0])) * ONE) / 100n, size: BigInt(first[1]) * ONE }
  return { bid: level(best(bids, true)), ask: level(best(asks, false)) }
}

function differencesOf(one: ModelBook, other: ModelBook) {
  return (['bid', 'ask'] as const).flatMap((side) => {
    const [before, after] = side === 'bid' ? [one.bids, other.bids] : [one.asks, other.asks]
    const prices = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => (side === 'bid' ? b - a : a - b))
    return prices
      .filter((price) => before.get(price) !== after.get(price))
      .map((price) => ({ side, price: price / 100, before: before.get(price) ?? 0, after: after.get(price) ?? 0 }))
  })
}
