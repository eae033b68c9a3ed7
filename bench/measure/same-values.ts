// Compares two answers, with a tolerance for the rounding of floats.

const TOLERANCE = 1e-9

/** Returns the path of the first difference; undefined if there is none. */
export function firstDifference(a: unknown, b: unknown, path = ''): string | undefined {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b)) ? undefined : path
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b ? undefined : path
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  for (const name of names) {
    const difference = firstDifference(
      (a as Record<string, unknown>)[name],
      (b as Record<string, unknown>)[name],
      `${path}/${name}`,
    )
    if (difference !== undefined) return difference
  }
  return undefined
}
