// Counts the records up to an instant by binary search: event times never step back within a day.

/** Event times of records, ascending, Unix ms. */
export type RecordTimes = { timesMs: Float64Array; recordCount: number }

/** Returns the number of records at or before an instant, Unix ms. */
export function recordsUpTo({ timesMs, recordCount }: RecordTimes, timeMs: number): number {
  let [low, high] = [0, recordCount]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timesMs[middle]! <= timeMs) low = middle + 1
    else high = middle
  }
  return low
}
