// Checks a tree in LMDB's file: every page has its own number and is referenced once, every node is within its page,
// keys ascend and stay within the keys of the branch above, and the counts match the tree's record.

import {
  BRANCH,
  LEAF,
  longAt,
  OVERFLOW,
  PAGE_HEADER_BYTES,
  type Page,
  type PageFile,
  type TreeRecord,
} from './page-file.ts'

/** A node of a leaf. `overflowPage` is -1 for a value in place, which begins at `valueAt`. */
export type LeafNode = {
  bytes: Buffer
  keyAt: number
  keyBytes: number
  valueAt: number
  valueBytes: number
  overflowPage: number
}

export type TreeCheck = {
  file: PageFile
  lastPage: number
  /** Pages that were already referenced, one bit each; null if only the root of each tree is checked. */
  seen: Uint8Array | null
  faults: string[]
}

/** Receives each entry and returns what is wrong with it. */
type OnNode = (node: LeafNode) => string | undefined

/** The names of the tree of trees and of the list of free pages. */
export const ROOTS = 'main'
export const FREE_PAGES = 'free'

type Bounds = { from: Buffer | null; to: Buffer | null; transaction: number }
type Walk = TreeCheck & {
  name: string
  onNode: OnNode | undefined
  firstSlot: number
  counts: { branchPages: number; leafPages: number; overflowPages: number; entries: number }
}

const COUNTS = ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const
const NODE_BYTES = 8
const LONG_BYTES = 8
/** Bytes of an overflow reference: first page, transaction, and number of pages. */
const OVERFLOW_BYTES = 24
const KEY_BYTES_MAX = 1_978
const DEPTH_MAX = 32
const BIG_DATA = 1
const SUB_DATA = 2
const FAULTS_MAX = 100

/** Walks a tree and adds its faults to `check`. `slot` is the first slot that pages may be read into. */
export function walkTree(
  check: TreeCheck,
  name: string,
  record: TreeRecord,
  transaction: number,
  slot: number,
  onNode?: OnNode,
): void {
  const counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
  const walk: Walk = { ...check, name, onNode, firstSlot: slot, counts }
  const { root, depth, entries } = record
  if (root === -1) {
    if (depth !== 0 || entries !== 0) fault(walk, -1, 'has no root, and entries')
    return
  }
  if (depth < 1 || depth > DEPTH_MAX) return fault(walk, root, `has a tree ${depth} pages high`)
  const before = check.faults.length
  walkPage(walk, root, depth, 0, { from: null, to: null, transaction })
  if (check.seen === null || check.faults.length > before) return
  for (const each of COUNTS) {
    if (counts[each] !== record[each]) fault(walk, root, `has ${counts[each]} ${each}, and should have ${record[each]}`)
  }
}

function walkPage(walk: Walk, number: number, height: number, level: number, bounds: Bounds): void {
  if (!claim(walk, number, 1)) return fault(walk, number, 'is named twice, or lies outside of the file')
  const page = walk.file.read(number, walk.firstSlot + level)
  if (page === undefined) return fault(walk, number, 'is missing')
  const within = { ...bounds, transaction: page.transaction }
  const what = headerFault(walk, page, number, height, bounds) ?? nodesFault(walk, page, height > 1, within)
  if (what !== undefined) return fault(walk, number, what)
  if (height === 1) walkLeaf(walk, page)
  // The tree of trees is always walked completely.
  else if (walk.seen !== null || walk.name === ROOTS) walkBranch(walk, page, height, level, within)
}

function headerFault({ file }: Walk, page: Page, expected: number, height: number, bounds: Bounds) {
  const { number, transaction, flags, words } = page
  const [lower, upper] = [words[10]!, words[11]!]
  if (number !== expected) return `says that it is page ${number}`
  if (flags !== (height > 1 ? BRANCH : LEAF)) return `has the flags ${flags}`
  if (transaction > bounds.transaction) return `is of transaction ${transaction}, later than the page that names it`
  const isWithin = lower % 2 === 0 && lower / 2 >= (height > 1 ? 2 : 1) && lower <= upper
  return isWithin && upper <= file.pageBytes - PAGE_HEADER_BYTES ? undefined : 'has bounds out of range'
}

function walkBranch(walk: Walk, page: Page, height: number, level: number, bounds: Bounds): void {
  walk.counts.branchPages++
  const { bytes, words } = page
  const count = words[10]! >>> 1
  // Keys are copied, because the pages below are read while the keys are still in use.
  let { from } = bounds
  for (let i = 0; i < count; i++) {
    const at = PAGE_HEADER_BYTES + words[12 + i]!
    const child = bytes.readUInt32LE(at) + bytes.readUInt16LE(at + 4) * 4_294_967_296
    const to = i + 1 < count ? keyOf(page, i + 1) : bounds.to
    walkPage(walk, child, height - 1, level + 1, { from, to, transaction: bounds.transaction })
    from = to
  }
}

function walkLeaf(walk: Walk, { bytes, words, number }: Page): void {
  walk.counts.leafPages++
  const count = words[10]! >>> 1
  walk.counts.entries += count
  for (let i = 0; i < count; i++) {
    const at = PAGE_HEADER_BYTES + words[12 + i]!
    const keyBytes = words[(at >>> 1) + 3]!
    const flags = words[(at >>> 1) + 2]!
    const keyAt = at + NODE_BYTES
    const valueAt = keyAt + keyBytes
    const valueBytes = bytes.readUInt32LE(at)
    const overflowPage = flags === BIG_DATA ? longAt(bytes, valueAt) : -1
    const node = { bytes, keyAt, keyBytes, valueAt, valueBytes, overflowPage }
    const what = overflowFault(walk, node) ?? walk.onNode?.(node)
    if (what !== undefined) fault(walk, number, what)
  }
}

function nodesFault(walk: Walk, { bytes, words }: Page, isBranch: boolean, bounds: Bounds): string | undefined {
  const [lower, upper] = [words[10]!, words[11]!]
  const room = walk.file.pageBytes - PAGE_HEADER_BYTES
  let used = 0
  let [lastAt, lastEnd] = [-1, -1]
  for (let i = 0; i < lower >>> 1; i++) {
    const offset = words[12 + i]!
    if (offset % 2 !== 0 || offset < upper || offset + NODE_BYTES > room) return `has node ${i} out of its range`
    const at = PAGE_HEADER_BYTES + offset
    const flags = words[(at >>> 1) + 2]!
    const keyBytes = words[(at >>> 1) + 3]!
    let nodeBytes = NODE_BYTES + keyBytes
    if (!isBranch) {
      const isKnown = flags <= SUB_DATA && (flags === SUB_DATA) === (walk.name === ROOTS)
      if (!isKnown) return `has node ${i} of no known kind`
      nodeBytes += flags === BIG_DATA ? OVERFLOW_BYTES : bytes.readUInt32LE(at)
    }
    const isFirstOfBranch = isBranch && i === 0
    if (keyBytes > KEY_BYTES_MAX || (keyBytes === 0 && !isFirstOfBranch)) return `has a key of ${keyBytes} bytes`
    if (offset + nodeBytes > room) return `has node ${i} reaching out of it`
    used += nodeBytes + (nodeBytes % 2)
    if (isFirstOfBranch) continue
    const keyAt = at + NODE_BYTES
    const end = keyAt + keyBytes
    const { from } = bounds
    if (lastAt >= 0) {
      if (order(walk, bytes, keyAt, end, bytes, lastAt, lastEnd) <= 0)
        return `has keys that do not ascend, at node ${i}`
    } else if (from !== null && order(walk, bytes, keyAt, end, from, 0, from.length) < 0) {
      return 'has a key that belongs before it'
    }
    lastAt = keyAt
    lastEnd = end
  }
  if (used !== room - upper) return 'has nodes that do not fill it'
  const { to } = bounds
  const isBelow = to === null || lastAt < 0 || order(walk, bytes, lastAt, lastEnd, to, 0, to.length) < 0
  return isBelow ? undefined : 'has a key that belongs after it'
}

/** Compares two keys as LMDB does. The keys of the tree of free pages are integers, stored with the lowest byte
 *  first. */
function order({ name }: Walk, one: Buffer, start: number, end: number, other: Buffer, from: number, to: number) {
  const areLongs = name === FREE_PAGES && end - start === LONG_BYTES && to - from === LONG_BYTES
  return areLongs ? longAt(one, start) - longAt(other, from) : one.compare(other, from, to, start, end)
}

function overflowFault(walk: Walk, { bytes, valueAt, valueBytes, overflowPage }: LeafNode): string | undefined {
  const { file } = walk
  if (overflowPage < 0 || walk.seen === null) return undefined
  const pages = Math.floor((PAGE_HEADER_BYTES - 1 + valueBytes) / file.pageBytes) + 1
  walk.counts.overflowPages += pages
  const named = longAt(bytes, valueAt + 16)
  if (named !== pages) return `names ${named} pages for a value of ${valueBytes} bytes`
  if (!claim(walk, overflowPage, pages)) return `names page ${overflowPage} twice, or outside of the file`
  const page = overflowPage + pages > file.pageCount ? undefined : file.read(overflowPage, 0)
  if (page === undefined) return `names page ${overflowPage}, which is missing`
  // The page's transaction is not checked: a copy without free pages keeps the page's transaction, but gives the tree
  // another one.
  const isAsNamed = page.number === overflowPage && page.flags === OVERFLOW && page.bytes.readUInt32LE(20) === pages
  return isAsNamed ? undefined : `names page ${overflowPage}, which is not what it should be`
}

/** Returns a check for entries of the list of free pages. The value of an entry is a count and then numbers. A positive
 *  number is a page. A negative number is the negative count of several pages; the number after it is the first of
 *  these pages. */
export function freeListCheck(check: TreeCheck): OnNode {
  return ({ bytes, keyBytes, valueAt, valueBytes, overflowPage }) => {
    if (keyBytes !== LONG_BYTES || valueBytes % LONG_BYTES !== 0) return 'is no list of free pages'
    if (check.seen === null) return undefined
    const isPlain = overflowPage < 0
    // Reading another page may overwrite the slot that holds this one.
    const list = isPlain
      ? Buffer.from(bytes.subarray(valueAt, valueAt + valueBytes))
      : overflowBytes(check, overflowPage, valueBytes)
    const count = longAt(list, 0)
    if (count < 0 || (count + 1) * LONG_BYTES > list.length) return 'has a count of free pages out of range'
    for (let i = 1; i <= count; i++) {
      const entry = longAt(list, i * LONG_BYTES)
      const first = entry < 0 && i < count ? longAt(list, ++i * LONG_BYTES) : entry
      if (first !== 0 && !claim(check, first, entry < 0 ? -entry : 1)) {
        return `calls page ${first} free, which is in use or outside of the file`
      }
    }
    return undefined
  }
}

function overflowBytes({ file }: TreeCheck, first: number, length: number): Buffer {
  const parts: Buffer[] = []
  for (let read = 0, page = first; read < length + PAGE_HEADER_BYTES; page++, read += file.pageBytes) {
    parts.push(Buffer.from(file.read(page, 0)?.bytes ?? []))
  }
  return Buffer.concat(parts).subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + length)
}

/** Marks pages as referenced. Returns whether they are within the file and were not referenced before. */
function claim({ lastPage, seen }: TreeCheck, first: number, count: number): boolean {
  if (!(first >= 2 && first + count - 1 <= lastPage)) return false
  if (seen === null) return true
  for (let page = first; page < first + count; page++) {
    const bit = 1 << (page & 7)
    if ((seen[page >>> 3]! & bit) !== 0) return false
    seen[page >>> 3]! |= bit
  }
  return true
}

function fault({ name, faults }: Walk, page: number, what: string): void {
  if (faults.length < FAULTS_MAX) faults.push(`page ${page} of its ${name} ${what}`)
}

function keyOf({ bytes, words }: Page, index: number): Buffer {
  const at = PAGE_HEADER_BYTES + words[12 + index]!
  return Buffer.from(bytes.subarray(at + NODE_BYTES, at + NODE_BYTES + words[(at >>> 1) + 3]!))
}
