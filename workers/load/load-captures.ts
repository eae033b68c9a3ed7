// Decides how many threads read captures: one a capture, where there are several captures and processors. The store is
// the same.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Store } from '../../storage/open-store.ts'
import { type FileReport, HERE, type LoadHooks, loadWith } from './load-capture.ts'
import { ThreadReader } from './thread-reader.ts'

/** `processors`: how many there are for it. */
export type LoadOptions = LoadHooks & { processors: number }

/** More would need more memory than a load may take. */
const THREADS_MAX = 4
/** A thread starts with nothing compiled: less than this is loaded before that is made up for. */
const TEXT_BYTES_MIN = 64 << 20
/** Captures are text of which a tenth is left, compressed. */
const INFLATION = 10

/** `folder` is the data folder. Throws DataError where the store does; faults of a file are in its report. */
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

/** How many threads read captures; with none, this one does. */
export function threadsFor(processors: number, paths: readonly string[]): number {
  const captures = new Set(paths.map((path) => resolve(path))).size
  // A file that is named twice is loaded twice, and has one reject file.
  if (captures < paths.length || textBytes(paths) < TEXT_BYTES_MIN) return 0
  const count = Math.min(processors, captures, THREADS_MAX)
  return count > 1 ? count : 0
}

function textBytes(paths: readonly string[]): number {
  const sizes = paths.map((path) => statSync(path).size * (/\.(?:gz|zst)$/.test(path) ? INFLATION : 1))
  return sizes.reduce((sum, size) => sum + size, 0)
}
