// Whether two answers say the same: numbers may differ in what a float cannot hold.

const TOLERANCE = 1e-9

/** Where they first differ, as a path; undefined where they are the same. */
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
