// Which of a partition's blocks count, where the index does not say it: those that were replaced may still lie in free
// pages. Each change writes the end of a partition anew, from some block on, with larger ids. So from the newest block
// on, an older one counts if its records come before all that count already.

export type Candidate = { id: number; firstMs: number; lastMs: number }

/** In the order of their records. `identitiesAt` are those of the records of a block at a time. */
export function chooseBlocks<T extends Candidate>(
  blocks: readonly T[],
  identitiesAt: (block: T, timeMs: number) => string[],
): T[] {
  const chosen: T[] = []
  for (const block of blocks.toSorted((a, b) => b.id - a.id)) {
    const next = chosen[0]
    const isBefore =
      next === undefined ||
      block.lastMs < next.firstMs ||
      (block.lastMs === next.firstMs && (block.firstMs < next.firstMs || !isWithin(block, chosen, identitiesAt)))
    if (isBefore) chosen.unshift(block)
  }
  return chosen
}

/** Whether the records of a block, all of one time, are among those that begin what was chosen. */
function isWithin<T extends Candidate>(
  block: T,
  chosen: readonly T[],
  identitiesAt: (block: T, timeMs: number) => string[],
): boolean {
  const timeMs = block.firstMs
  const known = new Set<string>()
  for (const each of chosen) {
    if (each.firstMs > timeMs) break
    for (const identity of identitiesAt(each, timeMs)) known.add(identity)
  }
  return identitiesAt(block, timeMs).every((identity) => known.has(identity))
}
