// Whether a tree of LMDB's file is one: every page is where it says and is named once, every node lies within its page,
// keys ascend and keep to what the branch above says, and counts are those of the tree's record.

import type { PageFault } from './page-fault.ts'
import {
  BRANCH,
  INTEGER_KEYS,
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
  flags: number
  keyAt: number
  keyBytes: number
  valueAt: number
  valueBytes: number
  overflowPage: number
  overflowCount: number
}

export type TreeCheck = {
  file: PageFile
  lastPage: number
  /** Pages that were named already, a bit each; null where that is not looked at. */
  seen: Uint8Array | null
  faults: PageFault[]
  /** Pages that may still be read; what lies below is not looked at when there are none left. */
  budget: { pages: number; read: number }
  /** Whether the first page of each value that has pages of its own is read, too. */
  readsOverflow: boolean
}

/** A walk that begins at a key and ends when the budget is spent. It ends with a sound leaf, and the next begins with
 *  it: so the keys on both sides of a fault are known. */
export type TreePart = PartStart & {
  /** Where the next begins; undefined when this one has come to the end of the tree. */
  next?: PartStart
}

/** `entries` lie before it: NaN where that is not known. */
type PartStart = { from: Buffer | null; entries: number }

type Bounds = { from: Buffer | null; to: Buffer | null; transaction: number }
type Counts = { branchPages: number; leafPages: number; overflowPages: number; entries: number }

const COUNTS = ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const
const NODE_BYTES = 8
const LONG_BYTES = 8
/** The first page, its transaction, and how many there are. */
const OVERFLOW_BYTES = 24
const KEY_BYTES_MAX = 1_978
const DEPTH_MAX = 32
const BIG_DATA = 1
const SUB_DATA = 2

export class TreeWalk {
  readonly #check: TreeCheck
  readonly #name: string
  readonly #onNode: ((node: LeafNode) => string | undefined) | undefined
  readonly #part: TreePart | undefined
  readonly #counts: Counts
  readonly #room: number
  readonly #filePages: number
  #firstSlot = 1
  #isWhole = true
  /** The last key of the leaf before, and the faults since then. */
  #lastKey: Buffer | null = null
  #open: PageFault[] = []
  #lastLeaf: PartStart | undefined
  #hasIntegerKeys = false

  /** `onNode` sees each entry, and says what is wrong with it. */
  constructor(check: TreeCheck, name: string, onNode?: (node: LeafNode) => string | undefined, part?: TreePart) {
    this.#check = check
    this.#name = name
    this.#onNode = onNode
    this.#part = part
    this.#counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: part?.entries ?? 0 }
    this.#room = check.file.pageBytes - PAGE_HEADER_BYTES
    this.#filePages = check.file.pageCount
  }

  /** `slot` is the first that pages may be read into. */
  run(record: TreeRecord, transaction: number, slot: number): void {
    this.#firstSlot = slot
    const whole: Bounds = { from: null, to: null, transaction }
    const { root, depth, entries, flags } = record
    this.#hasIntegerKeys = (flags & INTEGER_KEYS) !== 0
    if (root === -1) {
      if (depth !== 0 || entries !== 0) this.#fault(-1, 'has no root, and entries', whole)
      return
    }
    if (depth < 1 || depth > DEPTH_MAX) return this.#fault(root, `has a tree ${depth} pages high`, whole)
    const before = this.#check.faults.length
    this.#page(root, depth, 0, whole)
    const counts = this.#counts
    if (this.#check.faults.length > before || !this.#isWhole) return
    for (const name of this.#part === undefined ? COUNTS : (['entries'] as const)) {
      if (counts[name] !== record[name] && !Number.isNaN(counts[name])) {
        // Of the whole tree: where something is missing, nothing is certain.
        this.#lastKey = null
        this.#fault(root, `has ${counts[name]} ${name}, and should have ${record[name]}`, whole)
      }
    }
  }

  #page(number: number, height: number, level: number, bounds: Bounds): void {
    const { budget, file } = this.#check
    if (this.#isLeftOut(bounds)) return
    if (!this.#claim(number, 1)) return this.#fault(number, 'is named twice, or lies outside of the file', bounds)
    if (height === 1 && budget.pages <= 0 && this.#part === undefined) {
      this.#isWhole = false
      return
    }
    budget.pages--
    budget.read++
    const page = file.read(number, this.#firstSlot + level)
    const what = page === undefined ? 'is missing' : this.#headerFault(page, number, height, bounds)
    if (page === undefined || what !== undefined) return this.#fault(number, what ?? '', bounds)
    const within = { ...bounds, transaction: page.transaction }
    if (height > 1) this.#branch(page, height, level, within)
    else this.#leaf(page, within)
  }

  /** Of a part: what lies before it or after it. */
  #isLeftOut({ to }: Bounds): boolean {
    const part = this.#part
    if (part === undefined) return false
    if (part.next !== undefined) return true
    if (part.from !== null && to !== null && Buffer.compare(to, part.from) <= 0) return true
    if (this.#check.budget.pages > 0 || this.#open.length > 0 || this.#lastLeaf === undefined) return false
    part.next = this.#lastLeaf
    this.#isWhole = false
    return true
  }

  #headerFault({ number, transaction, flags, words }: Page, expected: number, height: number, bounds: Bounds) {
    const [lower, upper] = [words[10]!, words[11]!]
    if (number !== expected) return `says that it is page ${number}`
    if (flags !== (height > 1 ? BRANCH : LEAF)) return `has the flags ${flags}`
    if (transaction > bounds.transaction) return `is of transaction ${transaction}, later than what names it`
    const countMin = height > 1 ? 2 : 1
    if (lower % 2 !== 0 || lower / 2 < countMin || lower > upper || upper > this.#room) return 'has bounds out of range'
    return undefined
  }

  #branch(page: Page, height: number, level: number, bounds: Bounds): void {
    this.#counts.branchPages++
    const { bytes, words } = page
    const what = this.#nodesFault(page, true, bounds)
    if (what !== undefined) return this.#fault(page.number, what, bounds)
    const count = words[10]! >>> 1
    // Keys are copied: the pages below are read meanwhile, though into slots of their own.
    let from = bounds.from
    for (let i = 0; i < count; i++) {
      const at = PAGE_HEADER_BYTES + words[12 + i]!
      const child = bytes.readUInt32LE(at) + bytes.readUInt16LE(at + 4) * 4_294_967_296
      const to = i + 1 < count ? keyOf(page, i + 1) : bounds.to
      this.#page(child, height - 1, level + 1, { from, to, transaction: bounds.transaction })
      from = to
    }
  }

  #leaf(page: Page, bounds: Bounds): void {
    this.#counts.leafPages++
    const { bytes, words } = page
    const what = this.#nodesFault(page, false, bounds)
    if (what !== undefined) return this.#fault(page.number, what, bounds)
    this.#lastLeaf = { from: bounds.from, entries: this.#counts.entries }
    const count = words[10]! >>> 1
    this.#counts.entries += count
    this.#closeFaults(keyOf(page, 0))
    for (let i = 0; i < count; i++) {
      const at = PAGE_HEADER_BYTES + words[12 + i]!
      const keyBytes = words[(at >>> 1) + 3]!
      const flags = words[(at >>> 1) + 2]!
      const keyAt = at + NODE_BYTES
      const valueAt = keyAt + keyBytes
      const valueBytes = bytes.readUInt32LE(at)
      const overflowPage = flags === BIG_DATA ? longAt(bytes, valueAt) : -1
      const overflowCount = flags === BIG_DATA ? longAt(bytes, valueAt + 16) : 0
      const node = { bytes, flags, keyAt, keyBytes, valueAt, valueBytes, overflowPage, overflowCount }
      const overflowFault = this.#overflowFault(node)
      const fault = overflowFault ?? this.#onNode?.(node)
      if (fault === undefined) continue
      const key = keyOf(page, i)
      if (i > 0) this.#lastKey = keyOf(page, i - 1)
      const only = { ...bounds, from: key, to: Buffer.concat([key, Buffer.of(0)]) }
      this.#fault(page.number, fault, only, { isEntry: true, isMisplaced: overflowFault === undefined })
      if (i + 1 < count) this.#closeFaults(keyOf(page, i + 1))
    }
    this.#lastKey = keyOf(page, count - 1)
  }

  #nodesFault({ bytes, words }: Page, isBranch: boolean, bounds: Bounds): string | undefined {
    const [lower, upper] = [words[10]!, words[11]!]
    const count = lower >>> 1
    let used = 0
    let [lastAt, lastEnd] = [-1, -1]
    for (let i = 0; i < count; i++) {
      const offset = words[12 + i]!
      if (offset % 2 !== 0 || offset < upper || offset + NODE_BYTES > this.#room)
        return `has node ${i} out of its range`
      const at = PAGE_HEADER_BYTES + offset
      const flags = words[(at >>> 1) + 2]!
      const keyBytes = words[(at >>> 1) + 3]!
      let nodeBytes = NODE_BYTES + keyBytes
      if (!isBranch) {
        if (flags > SUB_DATA || (flags === SUB_DATA) !== (this.#name === 'main'))
          return `has node ${i} of no known kind`
        nodeBytes += flags === BIG_DATA ? OVERFLOW_BYTES : bytes.readUInt32LE(at)
      }
      const isFirstOfBranch = isBranch && i === 0
      if (keyBytes > KEY_BYTES_MAX || (keyBytes === 0 && !isFirstOfBranch)) return `has a key of ${keyBytes} bytes`
      if (offset + nodeBytes > this.#room) return `has node ${i} reaching out of it`
      used += nodeBytes + (nodeBytes % 2)
      if (isFirstOfBranch) continue
      const keyAt = at + NODE_BYTES
      const end = keyAt + keyBytes
      if (lastAt >= 0) {
        if (this.#order(bytes, keyAt, end, bytes, lastAt, lastEnd) <= 0)
          return `has keys that do not ascend, at node ${i}`
      } else if (bounds.from !== null && this.#order(bytes, keyAt, end, bounds.from, 0, bounds.from.length) < 0) {
        return 'has a key that belongs before it'
      }
      lastAt = keyAt
      lastEnd = end
    }
    if (used !== this.#room - upper) return 'has nodes that do not fill it'
    const { to } = bounds
    if (to !== null && lastAt >= 0 && this.#order(bytes, lastAt, lastEnd, to, 0, to.length) >= 0) {
      return 'has a key that belongs after it'
    }
    return undefined
  }

  /** Of two keys, as LMDB has them: integers lie with their lowest byte first. */
  #order(one: Buffer, oneStart: number, oneEnd: number, other: Buffer, otherStart: number, otherEnd: number): number {
    if (this.#hasIntegerKeys && oneEnd - oneStart === LONG_BYTES && otherEnd - otherStart === LONG_BYTES) {
      return longAt(one, oneStart) - longAt(other, otherStart)
    }
    return one.compare(other, otherStart, otherEnd, oneStart, oneEnd)
  }

  #overflowFault({ valueBytes, overflowPage, overflowCount }: LeafNode): string | undefined {
    if (overflowPage < 0) return undefined
    const { file, budget, readsOverflow } = this.#check
    const pages = Math.floor((PAGE_HEADER_BYTES - 1 + valueBytes) / file.pageBytes) + 1
    this.#counts.overflowPages += pages
    if (overflowCount !== pages) return `names ${overflowCount} pages for a value of ${valueBytes} bytes`
    if (!this.#claim(overflowPage, pages)) return `names page ${overflowPage} twice, or outside of the file`
    if (overflowPage + pages > this.#filePages) return `names page ${overflowPage}, which is missing`
    if (!readsOverflow || budget.pages <= 0) return undefined
    budget.pages--
    budget.read++
    const page = file.read(overflowPage, 0)
    if (page === undefined) return `names page ${overflowPage}, which is missing`
    // Its transaction says nothing: a copy without free pages keeps it, and gives the tree another.
    const isAsNamed = page.number === overflowPage && page.flags === OVERFLOW && page.bytes.readUInt32LE(20) === pages
    return isAsNamed ? undefined : `names page ${overflowPage}, which is not what it should be`
  }

  #claim(first: number, count: number): boolean {
    const { lastPage, seen } = this.#check
    if (!(first >= 2 && first + count - 1 <= lastPage)) return false
    if (seen === null) return true
    for (let page = first; page < first + count; page++) {
      const bit = 1 << (page & 7)
      if ((seen[page >>> 3]! & bit) !== 0) return false
      seen[page >>> 3]! |= bit
    }
    return true
  }

  #fault(page: number, what: string, { from, to }: Bounds, kind = { isEntry: false, isMisplaced: false }): void {
    const fault = { tree: this.#name, page, what, from, to, before: this.#lastKey, after: null, ...kind }
    if (this.#part !== undefined) this.#counts.entries = Number.NaN
    this.#open.push(fault)
    this.#check.faults.push(fault)
  }

  #closeFaults(after: Buffer): void {
    for (const fault of this.#open) fault.after = after
    this.#open = []
  }
}

function keyOf({ bytes, words }: Page, index: number): Buffer {
  const at = PAGE_HEADER_BYTES + words[12 + index]!
  return Buffer.from(bytes.subarray(at + NODE_BYTES, at + NODE_BYTES + words[(at >>> 1) + 3]!))
}
