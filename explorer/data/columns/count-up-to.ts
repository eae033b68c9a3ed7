// Finds the position of an instant, a price or a record in ascending values.

/** Returns the number of values that are at most `most`. */
export function countUpTo(values: ArrayLike<number>, most: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the row of the bucket that contains an instant; -1 if there is none. If `resolutionMs` is 0, a bucket lasts
 *  until the next one. */
export function rowAt(times: ArrayLike<number>, ms: number, resolutionMs: number): number {
  const row = countUpTo(times, ms) - 1
  return row >= 0 && (resolutionMs === 0 || ms < times[row]! + resolutionMs) ? row : -1
}
