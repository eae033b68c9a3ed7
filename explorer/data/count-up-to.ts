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
