// Joins columns of several answers into one.

type Numbers = Float32Array | Float64Array

/** Joins all parts into one array, made by the constructor `Column`. */
export function joined<T extends Numbers = Float64Array>(
  parts: readonly T[],
  Column: new (length: number) => Numbers = Float64Array,
): T {
  const all = new Column(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all as T
}
