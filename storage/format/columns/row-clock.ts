// Relates the values of a shape's rows to the event time. A venue writes one instant in several ways, and most of these
// values follow from the record's event time. Such a column is stored as its difference from the event time, which is
// mostly zero.

/** The event time of each row, and whether the row opens a new quote (the rows after it share its venue time). */
export type RowClock = { timesMs: Float64Array; opensQuote: Uint8Array }

/** How a column's values follow from the event time: not at all, or as its ms, whole seconds, or microseconds. */
export const RELATIONS = ['none', 'ms', 's', 'us'] as const
export type Relation = (typeof RELATIONS)[number]

const RELATED_FRACTION_MIN = 0.5
const NEAR: Record<Relation, number> = { none: 0, ms: 3_600_000, s: 3_600, us: 3_600_000_000 }

/** Returns the relation by which most values of a sample are within an hour of the event time; 'none' if there is none.
 *  Judges only by the size of the numbers. */
export function relationOf(values: Float64Array, count: number, clock: RowClock): Relation {
  if (count === 0) return 'none'
  const sampleCount = Math.min(count, 64)
  for (const relation of ['ms', 'us', 's'] as const) {
    let near = 0
    for (let i = 0; i < sampleCount; i++) {
      if (Math.abs(values[i]! - expectedAt(relation, clock.timesMs[i]!)) <= NEAR[relation]) near++
    }
    if (near > sampleCount * RELATED_FRACTION_MIN) return relation
  }
  return 'none'
}

export function expectedAt(relation: Relation, timeMs: number): number {
  if (relation === 'ms') return timeMs
  if (relation === 's') return Math.floor(timeMs / 1_000)
  if (relation === 'us') return timeMs * 1_000
  return 0
}

/** Returns whether each row that does not open a quote has the value of the row before it. */
export function repeatsWithinQuotes(values: Float64Array, count: number, { opensQuote }: RowClock): boolean {
  let repeats = 0
  for (let i = 1; i < count; i++) {
    if (opensQuote[i] === 1) continue
    if (values[i] !== values[i - 1]) return false
    repeats++
  }
  return repeats > 0 && opensQuote[0] === 1
}
