// Orders the runs of one capture: merges neighbours by event time, then neighbours of the results, until one sequence
// is left (docs/time-and-order.md).

import { isEarlierWithinMs, type RecordSequence, type UnitKeys, unitKeys } from './record-sequence.ts'

/** Returns the records of a capture in the order of their event times, for a capture whose event times step back. */
export function timeOrder(sequence: RecordSequence): Int32Array {
  const keys = unitKeys(sequence)
  let runs = runsOf(sequence)
  while (runs.length > 1) {
    const merged: Int32Array[] = []
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(i + 1 < runs.length ? mergeRuns(keys, runs[i]!, runs[i + 1]!) : runs[i]!)
    }
    runs = merged
  }
  return runs[0] ?? new Int32Array(0)
}

/** Returns the places of the records of each run. */
function runsOf({ count, timesMs }: RecordSequence): Int32Array[] {
  const places = Int32Array.from({ length: count }, (_, i) => i)
  const runs: Int32Array[] = []
  let start = 0
  for (let i = 1; i <= count; i++) {
    if (i < count && timesMs[i]! >= timesMs[i - 1]!) continue
    runs.push(places.subarray(start, i))
    start = i
  }
  return runs
}

function mergeRuns(keys: UnitKeys, earlier: Int32Array, later: Int32Array): Int32Array {
  const { timesMs } = keys
  const merged = new Int32Array(earlier.length + later.length)
  let next = 0
  let count = 0
  for (const place of later) {
    const timeMs = timesMs[place]!
    while (next < earlier.length) {
      const other = earlier[next]!
      if (timesMs[other]! > timeMs) break
      if (timesMs[other] === timeMs && isEarlierWithinMs(keys, place, keys, other)) break
      merged[count++] = other
      next++
    }
    merged[count++] = place
  }
  merged.set(earlier.subarray(next), count)
  return merged
}
