// Checks the pages of LMDB's file without LMDB, which trusts them: a damaged page ends the process, or makes entries
// disappear. Opening checks only the roots; `verify` checks every page. The result is a sentence for each fault.

import { FREE_PAGES, freeListCheck, ROOTS, type TreeCheck, walkTree } from './check-tree.ts'
import { META, type Meta, PageFile, type TreeRecord, treeAt } from './page-file.ts'

/** The names in the second line belong to older formats. A store with such a name should be refused for its format, and
 *  not as damaged. */
const DATABASE_NAMES: ReadonlySet<string> = new Set([
  ...['heads', 'blocks', 'rows', 'meta'],
  ...['parts', 'markets', 'slugs', 'metadata', 'finding', 'states'],
])
type Names = ReadonlySet<string>
const TREE_BYTES = 48
/** Flag of the tree of free pages: its keys are integers. */
const INTEGER_KEYS = 8
/** Flag that records how LMDB was opened when it created the file. It has no meaning later. */
const OVERLAPPING_SYNC = 0x1000
const MAP_BYTES_MAX = 2 ** 47
const TRIES = 20

/** Checks the pages that every read passes. A writer may be active: if the meta pages changed meanwhile, checks
 *  again. */
export function checkRoots(path: string, pageBytes: number): string[] {
  return withFile(path, pageBytes, (file) => {
    for (let tries = 1; tries <= TRIES; tries++) {
      const before = metaBytes(file)
      const faults = checkSnapshot(file, false)
      if (faults.length === 0 || metaBytes(file) === before) return faults
    }
    return []
  })
}

/** Checks every page. The caller holds a read transaction, so that no writer reuses a page that this reads. `names` are
 *  the databases that the file may contain. */
export function checkWhole(path: string, pageBytes: number, names: Names = DATABASE_NAMES): string[] {
  return withFile(path, pageBytes, (file) => checkSnapshot(file, true, names))
}

function withFile<T>(path: string, pageBytes: number, check: (file: PageFile) => T): T {
  const file = new PageFile(path, pageBytes)
  try {
    return check(file)
  } finally {
    file.close()
  }
}

const metaBytes = (file: PageFile): string =>
  [0, 1].map((number) => file.read(number, 0)?.bytes.subarray(0, 168).toString('latin1')).join()

function checkSnapshot(file: PageFile, isWhole: boolean, names: Names = DATABASE_NAMES): string[] {
  const faults: string[] = []
  const meta = newestMeta(file, faults)
  if (meta === undefined) return faults
  const seen = isWhole ? new Uint8Array((meta.lastPage >>> 3) + 1) : null
  const check: TreeCheck = { file, lastPage: meta.lastPage, seen, faults }
  for (const { name, record } of rootsOf(check, meta, names)) {
    if (record.flags !== 0) faults.push(`page ${record.root} of its ${name} has flags`)
    else walkTree(check, name, record, meta.transaction, 3)
  }
  walkTree(check, FREE_PAGES, meta.free, meta.transaction, 3, freeListCheck(check))
  return faults
}

/** Returns the named databases, as the tree of roots describes them. */
function rootsOf(check: TreeCheck, meta: Meta, names: Names): { name: string; record: TreeRecord }[] {
  const trees: { name: string; record: TreeRecord }[] = []
  walkTree(check, ROOTS, meta.main, meta.transaction, 1, (node) => {
    if (node.valueBytes !== TREE_BYTES) return 'describes no database'
    const name = node.bytes.toString('latin1', node.keyAt, node.keyAt + node.keyBytes).replace(/\0+$/, '')
    // A changed name would look like a missing database, which would be created anew.
    if (!names.has(name)) return 'describes a database of no known name'
    trees.push({ name, record: treeAt(node.bytes, node.valueAt) })
    return undefined
  })
  return trees
}

function newestMeta(file: PageFile, faults: string[]): Meta | undefined {
  const fault = (page: number, what: string) => void faults.push(`page ${page} of its ${ROOTS} ${what}`)
  const metas: Meta[] = []
  for (const number of [0, 1] as const) {
    const read = file.meta(number)
    if (read === undefined) return fault(number, 'is missing')
    const { page, meta } = read
    const isMeta =
      page.number === number && page.flags === META && (meta.free.flags & ~OVERLAPPING_SYNC) === INTEGER_KEYS
    if (!isMeta || meta.main.flags !== 0) return fault(number, 'is not the first page of a store')
    if (!(meta.lastPage >= 1 && meta.lastPage < 2 ** 36)) return fault(number, 'has a last page out of range')
    const isMapped = meta.mapBytes >= 0 && meta.mapBytes < MAP_BYTES_MAX && meta.mapBytes % file.pageBytes === 0
    if (!isMapped) return fault(number, 'has a size out of range')
    if (meta.transaction !== 0 && meta.transaction % 2 !== number) return fault(number, 'has another transaction')
    metas.push(meta)
  }
  const [one, other] = metas as [Meta, Meta]
  const [newer, older] = one.transaction >= other.transaction ? [one, other] : [other, one]
  if (older.transaction !== newer.transaction - 1 && older.transaction !== 0) {
    return fault(newer === one ? 0 : 1, 'has a transaction that does not follow the one before')
  }
  // If LMDB went back to what was on the disk when the machine stopped, both meta pages describe the same state.
  const isSame = newer.main.root === older.main.root && newer.free.root === older.free.root
  for (const meta of isSame ? [newer] : [newer, older]) {
    const root = meta.main.root < 0 ? undefined : file.read(meta.main.root, 0)
    // Each transaction writes a new page of roots, so this page cannot be newer than its meta page.
    if (root !== undefined && root.number === meta.main.root && root.transaction > meta.transaction) {
      const number = meta === one ? 0 : 1
      return fault(number, `has transaction ${meta.transaction}, its roots have ${root.transaction}`)
    }
  }
  return newer
}
