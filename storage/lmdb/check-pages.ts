// Checks LMDB's file before LMDB walks it: the roots, the trees, the list of free pages. A page that is not what it
// should be ends a process in LMDB, or makes entries vanish; here it is a fault that says where.

import assert from 'node:assert/strict'
import { fromBufferKey } from 'ordered-binary'
import { type PageFault, ROOTS, wholeTree } from './page-fault.ts'
import { INTEGER_KEYS, META, type Meta, PageFile, type TreeRecord, treeAt } from './page-file.ts'
import { openSlug } from './stored-values.ts'
import { type LeafNode, type TreeCheck, type TreePart, TreeWalk } from './tree-check.ts'

/** Faults of what is written next, not of what is read. */
export const FREE_PAGES = 'free'

export type PageReport = {
  faults: PageFault[]
  /** Pages that were read. */
  pages: number
  /** False where the budget did not last: leaf pages were left out. */
  isComplete: boolean
}

/** Where a part of the index begins; `from` is a key, null for the beginning of the tree. So many entries of the tree
 *  lie before it, as of a transaction. Crosses threads. */
export type PartCursor = { tree: string; from: Uint8Array | null; entries: number; transaction: number }
export type PartReport = {
  faults: PageFault[]
  pages: number
  /** Where the next part begins; null where this one came to the end. */
  next: PartCursor | null
}

export type PageLimits = { pages: number; readsOverflow: boolean }

const DATABASE_NAMES = new Set(['heads', 'blocks', 'states', 'markets', 'slugs', 'meta'])
/** How LMDB was opened when it made the file, and of no meaning since. */
const OVERLAPPING_SYNC = 0x1000
const TREE_BYTES = 48
const MAP_BYTES_MAX = 2 ** 47
const TRIES = 20
const PART_PAGES_MIN = 64

/** `pageBytes` is that of the file. A writer may be at work: what it may have changed meanwhile is read again. Where it
 *  is faster every time, only what is found each time is a fault: its own doing is another in each. */
export function checkPages(path: string, pageBytes: number, limits: PageLimits): PageReport {
  const file = new PageFile(path, pageBytes)
  try {
    let lasting: PageFault[] | undefined
    for (let tries = 1; ; tries++) {
      const before = metaBytes(file)
      const report = checkSnapshot(file, limits)
      if (report.faults.length === 0 || metaBytes(file) === before) return report
      lasting = lasting?.filter((fault) => report.faults.some((other) => isSame(fault, other))) ?? report.faults
      if (tries === TRIES) return { ...report, faults: lasting }
    }
  } finally {
    file.close()
  }
}

const isSame = (one: PageFault, other: PageFault): boolean =>
  one.tree === other.tree && one.page === other.page && one.what === other.what

/** Some pages of the index from `cursor` on, as what is read needs them: of several such in a row, each sees the file as
 *  it is then. Nothing that this finds is a writer's doing. `pages` are at least 64. */
export function checkPart(file: PageFile, cursor: PartCursor | null, pages: number): PartReport {
  assert(pages >= PART_PAGES_MIN, 'a part reads more than the way to one leaf')
  for (let tries = 1; tries <= TRIES; tries++) {
    const before = metaBytes(file)
    const report = partOfSnapshot(file, cursor, pages)
    if (report.faults.length === 0 || metaBytes(file) === before) return report
  }
  return { faults: [], pages: 0, next: cursor }
}

/** Every entry of the named databases that lies on a sound page; one that is damaged itself may be among them. */
export function eachEntry(file: PageFile, onEntry: (tree: string, node: LeafNode) => void): void {
  const meta = newestMeta(file, [])
  if (meta === undefined) return
  const check = { file, lastPage: meta.lastPage, seen: null, faults: [], budget: unlimited(), readsOverflow: false }
  for (const { name, record } of rootsOf(check, meta)) {
    new TreeWalk(check, name, (node) => void onEntry(name, node)).run(record, meta.transaction, 3)
  }
}

const unlimited = () => ({ pages: Number.POSITIVE_INFINITY, read: 0 })

function partOfSnapshot(file: PageFile, cursor: PartCursor | null, pages: number): PartReport {
  const faults: PageFault[] = []
  const budget = { pages, read: 0 }
  const meta = newestMeta(file, faults)
  if (meta === undefined || faults.length > 0) return { faults, pages: 0, next: null }
  const check: TreeCheck = { file, lastPage: meta.lastPage, seen: null, faults, budget, readsOverflow: false }
  const trees = rootsOf(check, meta)
  const { transaction } = meta
  const first = trees.findIndex(({ name }) => name === cursor?.tree)
  for (const tree of trees.slice(Math.max(0, first))) {
    const part: TreePart = tree.name === cursor?.tree ? continued(cursor, transaction) : { from: null, entries: 0 }
    walkTree(check, tree, meta, part)
    const { next } = part
    if (next !== undefined) return { faults, pages: budget.read, next: { ...next, tree: tree.name, transaction } }
  }
  return { faults, pages: budget.read, next: null }
}

/** What was counted of another state of the tree does not count. */
const continued = ({ from, entries, transaction }: PartCursor, now: number): TreePart => ({
  from: from === null ? null : Buffer.from(from),
  entries: transaction === now ? entries : Number.NaN,
})

const metaBytes = (file: PageFile): string =>
  [0, 1].map((number) => file.read(number, 0)?.bytes.subarray(0, 168).toString('latin1')).join()

function checkSnapshot(file: PageFile, limits: PageLimits): PageReport {
  const faults: PageFault[] = []
  const budget = { pages: limits.pages, read: 0 }
  const report = () => ({ faults, pages: budget.read, isComplete: budget.pages > 0 })
  const meta = newestMeta(file, faults)
  if (meta === undefined || faults.length > 0) return report()
  const seen = new Uint8Array((meta.lastPage >>> 3) + 1)
  const check = { file, lastPage: meta.lastPage, seen, faults, budget, readsOverflow: limits.readsOverflow }
  for (const tree of rootsOf(check, meta)) walkTree(check, tree, meta)
  checkFreePages(check, meta)
  return report()
}

type NamedTree = { name: string; record: TreeRecord }

/** The named databases, as the tree of roots describes them. */
function rootsOf(check: TreeCheck, meta: Meta): NamedTree[] {
  const trees: NamedTree[] = []
  new TreeWalk(check, ROOTS, (node) => {
    if (node.valueBytes !== TREE_BYTES) return 'describes no database'
    const name = node.bytes.toString('latin1', node.keyAt, node.keyAt + node.keyBytes).replace(/\0+$/, '')
    // A changed name would be a database that is missing, and made anew.
    if (!DATABASE_NAMES.has(name)) return 'describes a database of no known name'
    trees.push({ name, record: treeAt(node.bytes, node.valueAt) })
    return undefined
  }).run(meta.main, meta.transaction, 1)
  return trees
}

function walkTree(check: TreeCheck, { name, record }: NamedTree, { transaction }: Meta, part?: TreePart): void {
  if (record.flags !== 0) check.faults.push(wholeTree(name, record.root, 'has flags'))
  else new TreeWalk(check, name, name === 'slugs' ? slugFault(check) : undefined, part).run(record, transaction, 3)
}

function newestMeta(file: PageFile, faults: PageFault[]): Meta | undefined {
  const fault = (page: number, what: string) => void faults.push(wholeTree(ROOTS, page, what))
  const metas: Meta[] = []
  for (const number of [0, 1] as const) {
    const read = file.meta(number)
    if (read === undefined) return void fault(number, 'is missing')
    const { page, meta } = read
    const isMeta =
      page.number === number && page.flags === META && (meta.free.flags & ~OVERLAPPING_SYNC) === INTEGER_KEYS
    if (!isMeta || meta.main.flags !== 0) return void fault(number, 'is not what begins a store')
    if (!(meta.lastPage >= 1 && meta.lastPage < 2 ** 36)) return void fault(number, 'has a last page out of range')
    const isMapped = meta.mapBytes >= 0 && meta.mapBytes < MAP_BYTES_MAX && meta.mapBytes % file.pageBytes === 0
    if (!isMapped) return void fault(number, 'has a size out of range')
    if (meta.transaction !== 0 && meta.transaction % 2 !== number) return void fault(number, 'has another transaction')
    metas.push(meta)
  }
  const [one, other] = metas as [Meta, Meta]
  const [newer, older] = one.transaction >= other.transaction ? [one, other] : [other, one]
  if (older.transaction !== newer.transaction - 1 && older.transaction !== 0) {
    return void fault(newer === one ? 0 : 1, 'has a transaction that does not follow the one before')
  }
  for (const meta of [newer, older]) {
    const number = meta === one ? 0 : 1
    if (meta.main.root < 0) continue
    const root = file.read(meta.main.root, 0)
    // Each transaction writes the page of roots anew.
    if (root !== undefined && root.number === meta.main.root && root.transaction > meta.transaction) {
      return void fault(number, `has transaction ${meta.transaction}, its roots have ${root.transaction}`)
    }
  }
  return newer
}

function checkFreePages(check: TreeCheck & { seen: Uint8Array }, { free, lastPage, transaction }: Meta): void {
  const walk = new TreeWalk(check, FREE_PAGES, ({ keyBytes, valueBytes, ...node }) => {
    if (keyBytes !== 8 || valueBytes % 8 !== 0) return 'is no list of free pages'
    const list =
      node.overflowPage < 0 ? Buffer.from(node.bytes.subarray(node.valueAt, node.valueAt + valueBytes)) : undefined
    return freeListFault(list ?? overflowBytes(check, node.overflowPage, valueBytes), lastPage, check.seen)
  })
  walk.run(free, transaction, 3)
}

// Nothing else in the store tells of a slug: under another key it would just not be found.
const slugFault = (check: TreeCheck) => (node: LeafNode) => {
  const { bytes, keyAt, valueAt, valueBytes, overflowPage } = node
  const isPlain = overflowPage < 0
  const value = isPlain ? bytes.subarray(valueAt, valueAt + valueBytes) : overflowBytes(check, overflowPage, valueBytes)
  try {
    openSlug(fromBufferKey(bytes.subarray(keyAt, valueAt)) as string[], Uint8Array.from(value))
    return undefined
  } catch {
    return 'has an entry that is not what was stored under its key'
  }
}

function overflowBytes({ file }: TreeCheck, first: number, length: number): Buffer {
  const parts: Buffer[] = []
  for (let read = 0, page = first; read < length + 24; page++, read += file.pageBytes) {
    parts.push(Buffer.from(file.read(page, 0)?.bytes ?? []))
  }
  return Buffer.concat(parts).subarray(24, 24 + length)
}

// A count and the pages, each a number, or a number of pages as a negative one and the first of them.
function freeListFault(list: Buffer, lastPage: number, seen: Uint8Array): string | undefined {
  const count = Number(list.readBigInt64LE(0))
  if (count < 0 || (count + 1) * 8 > list.length) return 'has a count of free pages out of range'
  for (let i = 1; i <= count; i++) {
    const entry = Number(list.readBigInt64LE(i * 8))
    const length = entry < 0 ? -entry : 1
    const first = entry < 0 && i < count ? Number(list.readBigInt64LE(++i * 8)) : entry
    if (first === 0) continue
    if (!(first >= 2 && first + length - 1 <= lastPage)) return `calls page ${first} free, which is outside of the file`
    for (let page = first; page < first + length; page++) {
      const bit = 1 << (page & 7)
      if ((seen[page >>> 3]! & bit) !== 0) return `calls page ${page} free, which is in use`
      seen[page >>> 3]! |= bit
    }
  }
  return undefined
}
