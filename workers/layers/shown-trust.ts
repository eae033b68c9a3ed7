// Computes the trust in the books of a date with several sources. At each moment it is the trust of the layer that the
// date shows at that moment, based on all evidence of that layer. Pure.

import type { Source } from '../../storage/format/head-layers.ts'
import {
  type BookEntry,
  type InferredGap,
  type PartitionHead,
  type Span,
  spanEndMs,
} from '../../storage/format/partition-head.ts'
import { stepsOf } from '../trust/trust-steps.ts'

type Heads = ReadonlyMap<Source, Pick<PartitionHead, 'books' | 'inferredGaps'>>

/** Returns the books that the date shows, with their trust, and the inferred gaps. */
export function withTrust(books: readonly BookEntry[], heads: Heads, spans: readonly Span[]) {
  return {
    books: books.map(({ trust: _, ...entry }): BookEntry => ({ ...entry, trust: trustOf(entry.id, heads, spans) })),
    inferredGaps: spans.flatMap((_, i) => gapsOf(books, heads, spans, i)),
  }
}

function trustOf(id: string, heads: Heads, spans: readonly Span[]): NonNullable<BookEntry['trust']> {
  const trust: NonNullable<BookEntry['trust']> = []
  spans.forEach(([source, fromMs], i) => {
    const entry = heads.get(source)!.books.find((book) => book.id === id)
    const steps = entry === undefined ? [] : stepsOf(entry, spans[0]![1])
    const before = steps.findLast((step) => step.fromMs < fromMs)
    // Nothing is known of a book that the source does not have.
    if (i > 0) trust.push([fromMs, before?.trust ?? 'unknown'])
    for (const step of steps) {
      if (step.fromMs < fromMs || step.fromMs >= spanEndMs(spans, i)) continue
      if (trust.at(-1)?.[0] === step.fromMs) trust.pop()
      trust.push([step.fromMs, step.trust])
    }
  })
  return trust.filter(([, one], i) => trust[i - 1]?.[1] !== one)
}

function gapsOf(books: readonly BookEntry[], heads: Heads, spans: readonly Span[], index: number): InferredGap[] {
  const [source, spanMs] = spans[index]!
  const head = heads.get(source)!
  return head.inferredGaps.flatMap((gap): InferredGap[] => {
    const { id } = head.books[gap.book - 1]!
    const book = books.findIndex((entry) => entry.id === id) + 1
    const fromMs = Math.max(gap.fromMs, spanMs)
    const endMs = Math.min(gap.toMs ?? Number.POSITIVE_INFINITY, spanEndMs(spans, index))
    if (book === 0 || fromMs >= endMs) return []
    return [{ ...gap, book, fromMs, toMs: Number.isFinite(endMs) ? endMs : null }]
  })
}
