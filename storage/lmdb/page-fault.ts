// Damage of the file's index: where it is, what keys it concerns, and how it is told.

/** Keys of the tree from `from` on and before `to` lie below the page, as far as what names it tells; null is the end of
 *  the tree. */
export type PageFault = {
  tree: string
  page: number
  what: string
  from: Buffer | null
  to: Buffer | null
  /** The nearest sound keys on both sides; null where there is none. */
  before: Buffer | null
  after: Buffer | null
  /** Of one entry, `from`, of a page that is sound. */
  isEntry: boolean
  /** Such an entry that is not of its key: that of another is missing. */
  isMisplaced: boolean
}

/** The tree of trees; and what holds for the whole file. */
export const ROOTS = 'main'

export const wholeTree = (tree: string, page: number, what: string): PageFault => ({
  ...{ tree, page, what },
  ...{ from: null, to: null, before: null, after: null, isEntry: false, isMisplaced: false },
})

/** Whether a key may be found wrongly, or not be found, for this fault. The way to a page may be what is damaged: then
 *  what it says of the page's keys is wrong, and only its sound neighbours tell which those are. */
export function concernsKey({ from, to, before, after, isEntry }: PageFault, key: Uint8Array): boolean {
  const isWithin = (from === null || isNotBelow(key, from)) && (to === null || Buffer.compare(key, to) < 0)
  if (isWithin || isEntry) return isWithin
  return (before === null || Buffer.compare(key, before) > 0) && (after === null || Buffer.compare(key, after) < 0)
}

/** Whether a walk over keys from `low` to `high` may cross it. A walk reads one key beyond, to see that it has ended. */
export function concernsRange({ before, after }: PageFault, low: Uint8Array | undefined, high: Uint8Array | undefined) {
  const isAbove = after !== null && low !== undefined && isNotBelow(low, after)
  const isBelow = before !== null && high !== undefined && Buffer.compare(high, before) <= 0
  return !isAbove && !isBelow
}

/** Which page, what is wrong with it, and what lies below it. */
export function describeFault({ tree, page, what, before, after }: PageFault): string {
  const keys = [before, after].map((key) => (key === null ? '…' : textOf(key)))
  const where = before === null && after === null ? '' : ` (keys between ${keys.join(' and ')})`
  return `page ${page} of its ${tree} ${what}${where}`
}

/** A sentence or two: where, and what to do. */
export function describeFaults(path: string, faults: PageFault[]): string {
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : ''
  return `${path} is damaged: ${describeFault(faults[0]!)}${more}. Restore a backup; verify tells what is concerned.`
}

const isNotBelow = (key: Uint8Array, other: Uint8Array) => Buffer.compare(key, other) >= 0

const textOf = (key: Buffer) =>
  JSON.stringify(
    key
      .toString('latin1')
      .replace(/[^ -~]+/g, ' ')
      .trim(),
  )
