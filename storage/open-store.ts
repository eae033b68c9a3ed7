// Opens the store of a data folder: one LMDB environment that any number of processes and threads read while one
// writes.
//
//   heads    venue, market, date         → head of the partition
//   blocks   venue, market, date, n      → block n
//   states   venue, market, date, n      → books at the start of block n
//   markets  venue, market               → first and last date, number of dates
//   slugs    'event' | 'market', slug    → what the lookup answers
//   meta     name                        → format version, cursor secret, newest record of a venue, count of markets

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { Packr } from 'msgpackr'
import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import { DataError } from './failures.ts'
import { LmdbBlockStore } from './lmdb-block-store.ts'
import { LmdbCatalogue } from './lmdb-catalogue.ts'
import type { Databases, Key } from './lmdb-databases.ts'
import { readStoreFigures, type StoreFigures } from './store-figures.ts'

const STORE_VERSION = 1
const MAGIC = 0xbeef_c0de
const MAGIC_OFFSET = 24
const META_BYTES = 64
const packr = new Packr({ useRecords: false })

export type Store = {
  catalogue: Catalogue
  blocks: BlockStore
  /** Makes what other processes have written since visible to this thread. Cheap; call it at the start of a task. */
  refresh(): void
  /** Resolves once everything written so far is on the disk. */
  flushed(): Promise<void>
  /** Sizes and counts, without reading data. */
  figures(): StoreFigures
  close(): Promise<void>
}

/** Whether a data folder holds a store. */
export const hasStore = (folder: string): boolean => existsSync(join(folder, 'store', 'data.mdb'))

/** Opens, and makes where it is missing. Throws DataError('store_unavailable'). */
export function openStore(folder: string): Store {
  let root: RootDatabase<Uint8Array, Key>
  let databases: Databases
  try {
    const path = join(folder, 'store')
    mkdirSync(path, { recursive: true })
    refuseForeignFile(join(path, 'data.mdb'))
    root = open<Uint8Array, Key>({ path, encoding: 'binary', maxDbs: 8, maxReaders: 256, noMemInit: true })
    databases = openDatabases(root)
    prepareMeta(databases)
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('store_unavailable', `Cannot open the store in ${folder}: ${(error as Error).message}`)
  }
  return {
    catalogue: new LmdbCatalogue(databases),
    blocks: new LmdbBlockStore(databases),
    refresh: () => root.resetReadTxn(),
    flushed: async () => void (await root.flushed),
    figures: () => readStoreFigures(databases, join(folder, 'store', 'data.mdb')),
    close: () => root.close(),
  }
}

// LMDB maps the file without looking at what it is, and a foreign one takes the process down. Its first page holds a
// magic number behind the page header; so does every environment it has ever written.
function refuseForeignFile(path: string): void {
  if (!existsSync(path)) return
  const start = new Uint8Array(META_BYTES)
  const file = openSync(path, 'r')
  const length = readSync(file, start, 0, META_BYTES, 0)
  closeSync(file)
  if (length === 0) return
  const magic = length < META_BYTES ? 0 : new DataView(start.buffer).getUint32(MAGIC_OFFSET, true)
  if (magic !== MAGIC)
    throw new DataError('store_unavailable', `${path} is no store of backbook, or its beginning is damaged`)
}

function openDatabases(root: RootDatabase<Uint8Array, Key>): Databases {
  const named = (name: string) => root.openDB<Uint8Array, Key>({ name, encoding: 'binary' })
  return {
    root,
    heads: named('heads'),
    blocks: named('blocks'),
    states: named('states'),
    markets: named('markets'),
    slugs: named('slugs'),
    meta: named('meta'),
  }
}

function prepareMeta({ root, meta }: Databases): void {
  const version = meta.get('version')
  if (version === undefined) {
    root.transactionSync(() => {
      if (meta.get('version') !== undefined) return
      meta.putSync('version', packr.pack(STORE_VERSION))
      meta.putSync('cursor_secret', randomBytes(32))
    })
    return
  }
  const stored: unknown = packr.unpack(version)
  if (stored !== STORE_VERSION) {
    throw new DataError('store_unavailable', `The store has format ${stored}, this program reads ${STORE_VERSION}`)
  }
}
