// Reports how much of its file a store uses, from counts that LMDB maintains itself: this takes microseconds, however
// large the store is.

import { statSync } from 'node:fs'
import type { FileStats } from '../maintenance.ts'
import type { Databases } from './databases.ts'

type Pages = { treeBranchPageCount: number; treeLeafPageCount: number; overflowPages: number }
/** The statistics that lmdb's declarations leave untyped. */
type Stats = Pages & {
  pageSize: number
  entryCount: number
  mapSize: number
  lastPageNumber: number
  numReaders: number
  maxReaders: number
  root: Pages
  free: Pages
}

/** Every file begins with two meta pages of LMDB. */
const META_PAGES = 2

/** `markets` is the number of stored markets. */
export function readStoreStats({ root, ...named }: Databases, path: string, markets: number): FileStats {
  const of = (database: { getStats(): object }) => database.getStats() as Stats
  const whole = of(root)
  const trees = [...Object.values(named).map(of), whole.root, whole.free]
  const pages = trees.map(pageCount).reduce((sum, count) => sum + count, META_PAGES)
  const usedBytes = pages * whole.pageSize
  return {
    kind: 'file',
    fileBytes: statSync(path).size,
    usedBytes,
    freeBytes: Math.max(0, (whole.lastPageNumber + 1) * whole.pageSize - usedBytes),
    mapBytes: whole.mapSize,
    readers: whole.numReaders,
    readersMax: whole.maxReaders,
    markets,
    partitions: of(named.heads).entryCount,
    blocks: of(named.blocks).entryCount,
  }
}

const pageCount = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Pages) =>
  treeBranchPageCount + treeLeafPageCount + overflowPages
