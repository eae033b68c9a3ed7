// Finds the worst state that a book had within a bucket, from the book's first record on.

import { applyRecord, copyOf, type Trust } from '../book.ts'
import { recordsOf } from '../quotes.ts'
import type { LoadedRange } from '../summary.ts'
import { doubtfulSpans, type GapsOfDate, isIn } from './doubt.ts'

export type ShownTrust = Trust | 'doubtful'
const FROM_BEST = ['established', 'observed', 'doubtful', 'lost'] as const

/** The trust of the book from a time on, Unix ms. */
type State = { from: number; trust: Trust }

/** Returns a function that finds the worst trust within a bucket. It takes the first and last instants of the bucket,
 *  both inclusive, Unix ms. It must be called for buckets in ascending order. */
export function worstTrust(
  loaded: LoadedRange,
  book: string,
  gapsOf: GapsOfDate,
): (first: number, last: number) => ShownTrust {
  const states = statesOf(loaded, book)
  const spans = doubtfulSpans(loaded.all, book, gapsOf)
  const edges = spans.flatMap(({ from, to }) => [from, to])
  let index = 0
  return (first, last) => {
    while (index + 1 < states.length && states[index + 1]!.from <= first) index++
    const held: ShownTrust[] = []
    for (let i = index; i < states.length && states[i]!.from <= last; i++) {
      const { from, trust } = states[i]!
      const [since, until] = [Math.max(first, from), Math.min(last, (states[i + 1]?.from ?? last + 1) - 1)]
      const instants = [since, ...edges.filter((ms) => ms > since)].filter((ms) => ms <= until)
      held.push(...instants.map((ms) => (trust !== 'lost' && isIn(spans, ms) ? 'doubtful' : trust)))
    }
    return FROM_BEST.findLast((trust) => held.includes(trust))!
  }
}

function statesOf({ partitions, book: before, opensWith }: LoadedRange, book: string): State[] {
  const state = copyOf(before)
  return partitions.flatMap((partition, index) => {
    const { date } = partition
    const records = recordsOf(partition, book).filter(({ type }) => ['snapshot', 'delta', 'gap'].includes(type))
    const isContinued = index === 0 ? opensWith !== null : records[0]?.type !== 'snapshot'
    const opening = isContinued ? [{ from: Date.parse(date), trust: state.trust }] : []
    const changed = records.map((record): State => {
      applyRecord(state, record)
      return { from: record.timestamp, trust: state.trust }
    })
    return [...opening, ...changed]
  })
}
