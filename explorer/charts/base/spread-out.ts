// Moves positions on an axis apart, so that labels of one height do not overlap.

/** Returns positions at least `apart` apart, in the same order and as near to the originals as possible. `places` must
 *  ascend. */
export function spreadOut(places: readonly number[], apart: number): number[] {
  const groups: Group[] = []
  for (const place of places) {
    let group = { middle: place, count: 1 }
    for (let before = groups.at(-1); before !== undefined && touches(before, group, apart); before = groups.at(-1)) {
      groups.pop()
      const count = before.count + group.count
      group = { middle: (before.middle * before.count + group.middle * group.count) / count, count }
    }
    groups.push(group)
  }
  return groups.flatMap(({ middle, count }) =>
    Array.from({ length: count }, (_, i) => middle + (i - (count - 1) / 2) * apart),
  )
}

type Group = { middle: number; count: number }

const touches = (before: Group, next: Group, apart: number): boolean =>
  next.middle - before.middle < ((before.count + next.count) / 2) * apart
