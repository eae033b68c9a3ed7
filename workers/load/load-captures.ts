// Decides how many threads read captures: one per capture, if there are several captures and processors. The number
// of threads does not change what is stored.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Store } from '../../storage/open-store.ts'
import { type FileReport, HERE, type LoadHooks, loadWith } from './load-capture.ts'
import { ThreadReader } from './thread-reader.ts'

/** Options of a load. `processors` is the number of processors that it may use. */
export type LoadOptions = LoadHooks & { processors: number }

/** More threads would need more memory than a load may take. */
const THREADS_MAX = 4
/** A new thread has no compiled code yet. For less text than this, threads do not pay off. */
const TEXT_BYTES_MIN = 64 << 20
/** Assumed ratio of a capture's text to its compressed size. */
const INFLATION = 10

/** Loads captures. `folder` is the data folder. Throws DataError if the store does; faults of a file are in its
 *  report. */
export async function loadCaptures(
  store: Store,
  folder: string,
  paths: readonly string[],
  { processors, ...hooks }: LoadOptions,
): Promise<FileReport[]> {
  const count = threadsFor(processors, paths)
  if (count === 0) return loadWith([HERE], store, folder, paths, hooks)
  const threads = startThreads(count)
  try {
    return await loadWith(threads, store, folder, paths, hooks)
  } finally {
    await Promise.all(threads.map((thread) => thread.close()))
  }
}

export const startThreads = (count: number): ThreadReader[] => Array.from({ length: count }, () => new ThreadReader())

/** Returns how many threads read captures; 0 if the calling thread should read them. */
export function threadsFor(processors: number, paths: readonly string[]): number {
  const captures = new Set(paths.map((path) => resolve(path))).size
  // If a file is given twice, the calling thread loads it twice in turn: both loads write one reject file.
  if (captures < paths.length || textBytes(paths) < TEXT_BYTES_MIN) return 0
  const count = Math.min(processors, captures, THREADS_MAX)
  return count > 1 ? count : 0
}

function textBytes(paths: readonly string[]): number {
  const sizes = paths.map((path) => statSync(path).size * (/\.(?:gz|zst)$/.test(path) ? INFLATION : 1))
  return sizes.reduce((sum, size) => sum + size, 0)
}
