// Suggests the closest known name for a misspelled one.

/** Returns the nearest name that is at most `typosMax` letters away; undefined if there is none. */
export function similarName(given: string, names: readonly string[], typosMax: number): string | undefined {
  const near = names
    .map((name) => ({ name, typos: typosBetween(given, name) }))
    .filter(({ typos }) => typos > 0 && typos <= typosMax)
  return near.sort((a, b) => a.typos - b.typos)[0]?.name
}

/** Counts letters added, missing, changed or swapped (Damerau-Levenshtein distance, without overlaps). */
function typosBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, changed)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
