// Finds the worst state of a book within a bucket of the records shown. The layer shown at an instant decides the state
// at that instant.

import { applyRecord, type Book, copyOf } from '../book.ts'
import type { ShownTrust } from '../questions/bucket-trust.ts'
import { doubtfulSpans, isIn } from '../questions/doubt.ts'
import { beginsWithSnapshot, isSeenBefore } from '../quotes.ts'
import { isWithin, type Layer } from './layer.ts'
import type { Piece } from './pieces.ts'
import { inferredGaps } from './shown.ts'

export type AnyTrust = ShownTrust | 'unknown'
const FROM_BEST = ['established', 'observed', 'doubtful', 'lost', 'unknown'] as const

/** The pieces of the loaded dates in their order, each with the book before its records. */
type Loaded = { piece: Piece; before: Book }[]
/** The trust of the book from a time on, Unix ms. */
type State = { from: number; trust: AnyTrust }

/** Returns a function that finds the worst trust within a bucket; `unknown` only if the whole bucket is unknown. It
 *  takes the first and last instants of the bucket, both inclusive, Unix ms. It must be called for buckets in
 *  ascending order. */
export function worstShownTrust(
  layers: Layer[],
  loaded: Loaded,
  book: string,
): (first: number, last: number) => AnyTrust {
  const states = withDoubts(layers, loaded, book, statesOf(layers, loaded, book))
  let index = 0
  return (first, last) => {
    while (index + 1 < states.length && states[index + 1]!.from <= first) index++
    const held: AnyTrust[] = []
    for (let i = index; i < states.length && states[i]!.from <= last; i++) {
      if (states[i]!.trust !== 'unknown') held.push(states[i]!.trust)
    }
    return FROM_BEST.findLast((trust) => held.includes(trust)) ?? 'unknown'
  }
}

function statesOf(layers: Layer[], loaded: Loaded, book: string): State[] {
  return loaded.flatMap(({ piece, before }, index) => {
    const { date, fromMs, begins } = piece
    const state = copyOf(before)
    const opening: State[] = []
    const isFirstOfDate = loaded[index - 1]?.piece.date !== date
    if (begins !== undefined) opening.push({ from: fromMs, trust: begins?.trust ?? 'unknown' })
    else if (isFirstOfDate && isContinued(layers, piece, book, index === 0)) {
      opening.push({ from: fromMs, trust: state.trust })
    }
    const changed = piece.records
      .filter(({ record: { type } }) => ['snapshot', 'delta', 'gap'].includes(type))
      .map(({ record }): State => {
        applyRecord(state, record)
        return { from: record.timestamp, trust: state.trust }
      })
    return [...opening, ...changed]
  })
}

/** Returns whether the layer's date continues an earlier one. For the first loaded date, an earlier date must have the
 *  book. */
function isContinued(layers: Layer[], { source, date }: Piece, book: string, isFirst: boolean): boolean {
  const partitions = layers.find((layer) => layer.source === source)?.partitions ?? []
  const index = partitions.findIndex((partition) => partition.date === date)
  if (index < 0 || beginsWithSnapshot(partitions[index]!, book)) return false
  return !isFirst || isSeenBefore(partitions, index, book)
}

/** Returns the states with doubts: one at every instant at which a state or a doubt begins or ends. */
function withDoubts(layers: Layer[], loaded: Loaded, book: string, states: State[]): State[] {
  const doubts = new Map(
    layers.map((layer) => [layer.source, doubtfulSpans(layer.partitions, book, inferredGaps(layer, book))]),
  )
  const edges = loaded.flatMap(({ piece }) => {
    const spans = doubts.get(piece.source) ?? []
    return [piece.fromMs, ...spans.flatMap(({ from, to }) => [from, to]).filter((ms) => isWithin(piece, ms))]
  })
  const instants = [...new Set([...states.map(({ from }) => from), ...edges])].sort((a, b) => a - b)
  return instants.flatMap((ms): State[] => {
    const state = states.findLast(({ from }) => from <= ms)
    const source = loaded.findLast(({ piece }) => piece.fromMs <= ms)!.piece.source
    if (state === undefined) return []
    const canDoubt = state.trust !== 'lost' && state.trust !== 'unknown'
    return [{ from: ms, trust: canDoubt && isIn(doubts.get(source) ?? [], ms) ? 'doubtful' : state.trust }]
  })
}
