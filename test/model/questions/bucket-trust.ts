// The worst state that a book had within a bucket, from its first record on.

import { applyRecord, copyOf, type Trust } from '../book.ts'
import type { InferredGap } from '../quality.ts'
import { recordsOf } from '../quotes.ts'
import type { LoadedRange } from '../summary.ts'
import { holds } from './book-at.ts'

export type ShownTrust = Trust | 'doubtful'
/** Of a book, in a date. */
export type GapsOfDate = (date: string) => InferredGap[]

const FROM_BEST = ['established', 'observed', 'doubtful', 'lost'] as const

/** What the book is after all records up to an instant; `date` is that whose evidence counts. */
type State = { from: number; trust: Trust; date: string }

/** `first` and `last` are the instants of a bucket, both inclusive, Unix ms; buckets are asked for in their order. */
export function worstTrust(
  loaded: LoadedRange,
  book: string,
  gapsOf: GapsOfDate,
): (first: number, last: number) => ShownTrust {
  const states = statesOf(loaded, book)
  const gaps = new Map(loaded.partitions.map(({ date }) => [date, gapsOf(date)]))
  const trustAt = ({ trust, date }: State, ms: number): ShownTrust =>
    trust !== 'lost' && gaps.get(date)!.some((gap) => holds(gap, ms)) ? 'doubtful' : trust
  let index = 0
  return (first, last) => {
    while (index + 1 < states.length && states[index + 1]!.from <= first) index++
    const held: ShownTrust[] = []
    for (let i = index; i < states.length && states[i]!.from <= last; i++) {
      const [from, to] = [Math.max(first, states[i]!.from), Math.min(last, (states[i + 1]?.from ?? last + 1) - 1)]
      const edges = gaps.get(states[i]!.date)!.flatMap((gap) => [gap.from, gap.to ?? gap.from])
      const instants = [from, ...edges.filter((ms) => ms > from)].filter((ms) => ms <= to)
      held.push(...instants.map((ms) => trustAt(states[i]!, ms)))
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
    const opening = isContinued ? [{ from: Date.parse(date), trust: state.trust, date }] : []
    const changed = records.map((record): State => {
      applyRecord(state, record)
      return { from: record.timestamp, trust: state.trust, date }
    })
    return [...opening, ...changed]
  })
}
