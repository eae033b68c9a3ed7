// Lists the evidence for and against a book of a date with several sources, the slow way: new connections, and
// snapshots that differ from the book before them.

import type { Entry } from '../../support/switched/made-source.ts'
import type { Event, InferredGap, ModelBook, Span } from './switched-book.ts'

export type Evidence = { gaps: InferredGap[]; confirmed: number; contradicted: number; silenceMs: number }

type Compared = { before: ModelBook; after: ModelBook; fromMs: number; toMs: number; reason: Reason | null }
type Reason = { reason: string; fromMs: number }

/** Returns the records that begin a new connection within the shown records of their source. */
function restartsIn(spans: readonly Span[]): Set<Entry> {
  const restarts = new Set<Entry>()
  for (const { source, from, to } of spans) {
    const numbered = source.entries.slice(from, to).filter(({ kind }) => kind !== 'gap')
    for (const entry of numbered.slice(1)) if (source.restarts.has(entry)) restarts.add(entry)
  }
  return restarts
}

/** Compares snapshots with the book. `isTimed`: the venue's snapshots have times, and changes of the same time may
 *  follow. */
export function evidenceOf(spans: readonly Span[], events: readonly Event[], isTimed: boolean): Evidence {
  const restarts = restartsIn(spans)
  const found: Evidence = { gaps: [], confirmed: 0, contradicted: 0, silenceMs: 0 }
  let lastMs: number | null = null
  let pending: Reason | null = null
  let open: Compared | null = null

  const close = () => {
    if (open === null) return
    const { before, after, fromMs, toMs, reason } = open
    open = null
    const differing = before.trust === 'established' ? differenceOf(before, after) : null
    if (reason !== null) found.gaps.push({ ...reason, toMs, levels: differing })
    if (differing === null) return
    if (differing <= 1) found.confirmed++
    else {
      found.contradicted++
      if (reason === null) found.gaps.push({ reason: 'snapshot_contradicts', fromMs, toMs, levels: differing })
    }
  }
  const endAt = (toMs: number | null, book: ModelBook | undefined) => {
    close()
    if (pending !== null && book?.trust !== 'lost') found.gaps.push({ ...pending, toMs, levels: null })
    pending = null
  }

  for (const { kind, ms, entry, before, after } of events) {
    if (lastMs !== null) found.silenceMs = Math.max(found.silenceMs, ms - lastMs)
    if (kind === 'switch') {
      endAt(ms, before)
      lastMs = after.trust === 'unknown' ? null : ms
      continue
    }
    const fromMs = lastMs ?? ms
    if (entry !== null && restarts.has(entry)) pending ??= { reason: 'sequence_restart', fromMs }
    if (kind === 'snapshot') {
      close()
      const reason = before.trust === 'lost' ? null : pending
      open = { before: copyOf(before), after: copyOf(after), fromMs, toMs: ms, reason }
      pending = null
      if (!isTimed) close()
    }
    if (kind === 'delta' && entry?.kind === 'delta' && open !== null) {
      if (ms !== open.toMs) close()
      else for (const book of [open.before, open.after]) setLevel(book, entry)
    }
    if (kind === 'gap') {
      close()
      if (pending !== null && before.trust !== 'lost') found.gaps.push({ ...pending, toMs: ms, levels: null })
      pending = null
    }
    lastMs = ms
  }
  endAt(null, events.at(-1)?.after)
  return found
}

const copyOf = (book: ModelBook): ModelBook => ({ ...book, bids: new Map(book.bids), asks: new Map(book.asks) })

function setLevel({ bids, asks }: ModelBook, { isAsk, price, size }: Entry & { kind: 'delta' }): void {
  const side = isAsk ? asks : bids
  if (size > 0) side.set(price, size)
  else side.delete(price)
}

function differenceOf(one: ModelBook, other: ModelBook): number {
  const sides = [
    [one.bids, other.bids],
    [one.asks, other.asks],
  ] as const
  return sides.reduce((sum, [a, b]) => {
    const prices = new Set([...a.keys(), ...b.keys()])
    return sum + [...prices].filter((price) => a.get(price) !== b.get(price)).length
  }, 0)
}
