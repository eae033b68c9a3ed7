// Loads captures one after the other. With several processors the messages of a capture are placed in threads beside
// the one that takes its lines apart, and while the last of them are collected and committed, the next capture is read.
// What is stored is the same: captures are committed in their order, one of very many markets part by part.

import { statSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import { CaptureLoad, type FileReport, type LoadProgress, loadCapture } from './load-capture.ts'
import { PlacerThreads } from './placer-threads.ts'

/** Told of all captures together. */
type LoadHooks = { onProgress?: LoadProgress }
/** `processors`: how many there are for it. */
export type LoadOptions = LoadHooks & { processors: number }

/** More would wait for the one thread that takes lines apart. */
const THREADS_MAX = 4
/** A thread starts with nothing compiled: less than this is loaded before that is made up for. */
const TEXT_BYTES_MIN = 512 << 20
/** Captures are text of which a tenth is left, compressed. */
const INFLATION = 10

/** `folder` is the data folder. Throws DataError where the store does; faults of a file are in its report. */
export async function loadCaptures(
  store: Store,
  folder: string,
  paths: readonly string[],
  options: LoadOptions,
): Promise<FileReport[]> {
  if (threadsFor(options.processors) === 0 || textBytes(paths) < TEXT_BYTES_MIN)
    return loadHere(store, folder, paths, options)
  const threads = new PlacerThreads(threadsFor(options.processors))
  try {
    return await loadInThreads(threads, store, folder, paths, options)
  } finally {
    await threads.close()
  }
}

/** How many threads place messages beside the one that reads; none on one processor. */
export function threadsFor(processors: number): number {
  return Math.min(processors - 1, THREADS_MAX)
}

async function loadHere(
  store: Store,
  folder: string,
  paths: readonly string[],
  { onProgress }: LoadHooks,
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  const progress = new SummedProgress(onProgress)
  for (const path of paths) {
    reports.push(await loadCapture(store, folder, path, progress.show))
    progress.endCapture(statSync(path).size)
  }
  return reports
}

/** As `loadCaptures`, however little there is to load. After a failure the threads can only be closed. */
export async function loadInThreads(
  threads: PlacerThreads,
  store: Store,
  folder: string,
  paths: readonly string[],
  { onProgress }: LoadHooks = {},
  marketsAtOnce?: number,
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  const progress = new SummedProgress(onProgress)
  let committed = Promise.resolve()
  for (const path of paths) {
    const load = new CaptureLoad(store, folder, path, (options) => threads.begin(options), marketsAtOnce)
    try {
      while (load.hasMore) {
        const part = await load.read(progress.show)
        const collected = part.collect()
        const before = committed
        committed = (async () => {
          await Promise.all([collected, before])
          load.commit(part)
        })()
        // Whoever waits for it hears of a failure; until then the next part is being read.
        committed.catch(() => {})
        await before
      }
    } catch (error) {
      load.close()
      throw error
    }
    progress.endCapture(statSync(path).size)
    const all = committed
    committed = (async () => {
      try {
        await all
        reports.push(load.finish())
      } finally {
        load.close()
      }
    })()
    committed.catch(() => {})
  }
  await committed
  return reports
}

function textBytes(paths: readonly string[]): number {
  const sizes = paths.map((path) => statSync(path).size * (/\.(?:gz|zst)$/.test(path) ? INFLATION : 1))
  return sizes.reduce((sum, size) => sum + size, 0)
}

class SummedProgress {
  readonly #onProgress: LoadProgress
  #done = { fileBytes: 0, records: 0 }
  #now = this.#done

  constructor(onProgress: LoadProgress = () => {}) {
    this.#onProgress = onProgress
  }

  readonly show: LoadProgress = ({ fileBytes, records }) => {
    this.#now = { fileBytes: this.#done.fileBytes + fileBytes, records: this.#done.records + records }
    this.#onProgress(this.#now)
  }

  /** A document is read without telling how far it is. */
  endCapture(fileBytes: number): void {
    this.#done = { fileBytes: this.#done.fileBytes + fileBytes, records: this.#now.records }
    this.show({ fileBytes: 0, records: 0 })
  }
}
