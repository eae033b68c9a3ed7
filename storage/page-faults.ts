// What is damaged of a store's file when it is opened. The main thread looks; its workers, which open the same file
// for the same questions, are told.

import { join } from 'node:path'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { checkPages, type PageReport } from './check-pages.ts'
import { DataError } from './failures.ts'
import { describeFaults, type PageFault, ROOTS } from './page-fault.ts'
import { DATA_FILE, readStoreMeta } from './store-file.ts'

/** About 30 ms. Of larger stores the leaves are looked at as far as this goes, and the rest by `verify`. */
const PAGES_AT_OPENING = 8_000

/** Empty for a sound file. Throws DataError('store_unavailable') where nothing can be read of it. */
export function pageFaults(path: string): PageFault[] {
  const known = isMainThread ? undefined : (getEnvironmentData(nameOf(path)) as PageFault[] | undefined)
  if (known !== undefined) return known.map(withBuffers)
  const { faults } = checkStorePages(path, PAGES_AT_OPENING)
  const fatal = faults.filter(({ tree }) => tree === ROOTS || tree === 'meta')
  if (fatal.length > 0) throw new DataError('store_unavailable', describeFaults(join(path, DATA_FILE), fatal))
  if (isMainThread) setEnvironmentData(nameOf(path), faults)
  return faults
}

/** The whole file where `pages` is left out. */
export function checkStorePages(path: string, pages = Number.POSITIVE_INFINITY): PageReport {
  const data = join(path, DATA_FILE)
  const pageBytes = readStoreMeta(data)?.pageBytes
  if (pageBytes === undefined) return { faults: [], pages: 0, isComplete: true }
  return checkPages(data, pageBytes, { pages, readsOverflow: true })
}

const nameOf = (path: string) => `page faults of ${path}`

/** Buffers arrive in another thread as plain arrays of bytes. */
const withBuffers = (fault: PageFault): PageFault => {
  const buffer = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes))
  const { from, to, before, after } = fault
  return { ...fault, from: buffer(from), to: buffer(to), before: buffer(before), after: buffer(after) }
}
