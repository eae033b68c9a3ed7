// Where an instant, a price or a place lies in ascending values.

/** How many values are at most `most`. */
export function countUpTo(values: ArrayLike<number>, most: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** The row of the bucket that holds an instant, -1 where none does. Buckets of 0 ms hold until the next. */
export function rowAt(times: ArrayLike<number>, ms: number, resolutionMs: number): number {
  const row = countUpTo(times, ms) - 1
  return row >= 0 && (resolutionMs === 0 || ms < times[row]! + resolutionMs) ? row : -1
}
