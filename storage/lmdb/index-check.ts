// The check of a store's index, when it is opened and while it is open. What it finds holds for every thread of the
// process, from the next time that it looks at the store.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'
import { checkPages, checkPart, type PartCursor, type PartReport } from './check-pages.ts'
import { daysInPages } from './list-days.ts'
import { describeFaults, type PageFault, ROOTS, wholeTree } from './page-fault.ts'
import { PageFile } from './page-file.ts'
import { SharedFaults } from './shared-faults.ts'
import { cutOf, DATA_FILE, readStoreMeta } from './store-file.ts'

/** About 30 ms. Of larger stores the leaves are looked at as far as this goes; the rest while the server runs, and by
 *  `verify`. */
const PAGES_AT_OPENING = 8_000

export class IndexCheck {
  readonly #data: string
  readonly #faults: SharedFaults
  #inode: number | undefined

  /** `path` is the store's folder. Throws DataError('store_unavailable') where nothing can be read of its file. */
  constructor(path: string) {
    this.#data = join(path, DATA_FILE)
    this.#inode = this.#inodeNow()
    const name = `page faults of ${path}`
    // The main thread opens a store first, and looks; its workers, for the same questions, are told.
    const known = isMainThread ? undefined : (getEnvironmentData(name) as SharedArrayBuffer | undefined)
    this.#faults = new SharedFaults(known)
    if (known !== undefined) return
    if (this.#inode !== undefined) this.#look()
    if (isMainThread) setEnvironmentData(name, this.#faults.memory)
  }

  /** All faults that are known, where there are others than the last time. */
  news(): PageFault[] | undefined {
    return this.#faults.news()
  }

  /** The whole file. */
  whole(): PageFault[] {
    const faults = this.#faultsIn(Number.POSITIVE_INFINITY)
    this.#faults.add(faults)
    return faults
  }

  /** Some pages of the file as it is now, from `cursor` on. A store that was put in the place of the one that is open
   *  is not looked at. */
  part(cursor: PartCursor | null, pages: number): PartReport {
    this.#inode ??= this.#inodeNow()
    const report = this.#inodeNow() === this.#inode ? this.#part(cursor, pages) : NOTHING
    this.#faults.add(report.faults)
    return report
  }

  /** The days that sound pages tell of. */
  days(): PartitionKey[] {
    const pageBytes = readStoreMeta(this.#data)?.pageBytes
    return pageBytes === undefined ? [] : this.#reading(pageBytes, daysInPages)
  }

  #part(cursor: PartCursor | null, pages: number): PartReport {
    try {
      // Twice, since a writer may have been seen at half of its work.
      const cut = cutOf(this.#data) && cutOf(this.#data)
      if (cut !== undefined) return ofRoots(`was cut short: it has ${cut.size} of ${cut.needed} bytes`)
      const pageBytes = readStoreMeta(this.#data)?.pageBytes
      if (pageBytes === undefined) return ofRoots('was emptied')
      return this.#reading(pageBytes, (file) => checkPart(file, cursor, pages))
    } catch (error) {
      if (error instanceof DataError) return ofRoots('is not what begins a store')
      throw error
    }
  }

  #reading<T>(pageBytes: number, read: (file: PageFile) => T): T {
    const file = new PageFile(this.#data, pageBytes)
    try {
      return read(file)
    } finally {
      file.close()
    }
  }

  #look(): void {
    const faults = this.#faultsIn(PAGES_AT_OPENING)
    const fatal = faults.filter(({ tree }) => tree === ROOTS || tree === 'meta')
    if (fatal.length > 0) throw new DataError('store_unavailable', describeFaults(this.#data, fatal))
    this.#faults.add(faults)
  }

  /** Of so many pages; none where the file is empty. */
  #faultsIn(pages: number): PageFault[] {
    const pageBytes = readStoreMeta(this.#data)?.pageBytes
    return pageBytes === undefined ? [] : checkPages(this.#data, pageBytes, { pages, readsOverflow: true }).faults
  }

  #inodeNow(): number | undefined {
    return statSync(this.#data, { throwIfNoEntry: false })?.ino
  }
}

const NOTHING: PartReport = { faults: [], pages: 0, next: null }

const ofRoots = (what: string): PartReport => ({ ...NOTHING, faults: [wholeTree(ROOTS, 0, what)] })
