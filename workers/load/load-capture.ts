// Loads captures into a store, in the order in which they are named, with one reader or several. It is what
// `backbook ingest` runs, in a process of its own beside any server.

import { closeSync, statSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import { documentsIn } from '../capture/metadata-documents.ts'
import { collectGarbage, LOADING } from '../collect-garbage.ts'
import type { GivenNoPrices } from '../venues/kalshi/no-prices.ts'
import type { CaptureEnd, CapturePart, LoadProgress, ReadOptions } from './capture-reading.ts'
import { commitPart } from './commit-part.ts'
import { type CaptureReader, loadInOrder } from './load-in-order.ts'
import { MARKETS_AT_ONCE } from './part-sink.ts'
import { readCapture } from './read-capture.ts'
import { storeAudits } from './store-audits.ts'
import { storeMetadata } from './store-metadata.ts'

/** `metadata` counts events and markets that the capture tells of, each once. */
export type FileReport = Omit<CaptureEnd, 'audits' | 'metadata'> & {
  file: string
  bytes: number
  /** Records that the store did not have before. */
  recordsAdded: number
  /** Records of the capture, those stored before included. */
  records: number
  partitionsChanged: number
  metadata: number
}

export type LoadHooks = {
  /** Called with the sums over all captures. */
  onProgress?: LoadProgress | undefined
  marketsAtOnce?: number | undefined
  /** The moment of loading, if it is not now. */
  loadingMs?: number | undefined
  /** The archive that the captures are made from; without it, they are the user's own. */
  source?: string | undefined
  /** As in `ReadOptions`. */
  noPrices?: GivenNoPrices
  /** Gets the names of market days that changed: of several captures the same ones may. */
  changed?: Set<string> | undefined
}

export type Reader = CaptureReader<Required<ReadOptions>, CapturePart, CaptureEnd>

/** Reads in this thread. What a capture holds is planned as it is committed. */
export const HERE: Reader = {
  read: ({ areNew: _, ...options }, offer) => readCapture(options, offer),
}

/** `folder` is the data folder. Throws DataError where the store does; a fault of the file is in the report. */
export async function loadCapture(
  store: Store,
  folder: string,
  path: string,
  onProgress?: LoadProgress,
  marketsAtOnce?: number,
): Promise<FileReport> {
  return (await loadWith([HERE], store, folder, [path], { onProgress, marketsAtOnce }))[0]!
}

/** Captures are committed one after the other, however many readers there are. No two of `paths` may be the same file
 *  where there are several: both would write its rejects. */
export async function loadWith(
  readers: readonly Reader[],
  store: Store,
  folder: string,
  paths: readonly string[],
  {
    onProgress = () => {},
    marketsAtOnce = MARKETS_AT_ONCE,
    loadingMs = Date.now(),
    source,
    noPrices,
    changed,
  }: LoadHooks = {},
): Promise<FileReport[]> {
  const load = new Load(store, paths, loadingMs, onProgress, changed)
  const captures = paths.map((path, index) => ({
    folder,
    path,
    loadingMs,
    threads: readers.length,
    marketsAtOnce,
    source,
    noPrices,
    onProgress: load.progressOf(index),
    areNew: async (markets: { venue: Venue; market: string }[]) => {
      const entries = await Promise.all(markets.map(({ venue, market }) => store.catalogue.market(venue, market)))
      return entries.map((entry) => entry === undefined)
    },
  }))
  // Each reader may be one capture ahead, and one more may wait for its turn, so that none waits for another's commit.
  await loadInOrder(captures, readers, readers.length === 1 ? 0 : 2 * readers.length, load)
  return load.reports
}

class Load {
  readonly reports: FileReport[]
  readonly #store: Store
  readonly #loadingMs: number
  readonly #onProgress: LoadProgress
  readonly #progress: { fileBytes: number; records: number }[]
  readonly #changed: Set<string>
  /** Of the capture that is committed. */
  #changedNow = new Set<string>()

  constructor(
    store: Store,
    paths: readonly string[],
    loadingMs: number,
    onProgress: LoadProgress,
    changed = new Set<string>(),
  ) {
    this.#changed = changed
    this.#store = store
    this.#loadingMs = loadingMs
    this.#onProgress = onProgress
    this.reports = paths.map(newReport)
    this.#progress = paths.map(() => ({ fileBytes: 0, records: 0 }))
  }

  progressOf(index: number): LoadProgress {
    return ({ fileBytes, records }) => {
      this.#progress[index] = { fileBytes, records }
      this.#onProgress({
        fileBytes: this.#progress.reduce((sum, capture) => sum + capture.fileBytes, 0),
        records: this.#progress.reduce((sum, capture) => sum + capture.records, 0),
      })
    }
  }

  async commit({ partitions, files }: CapturePart, index: number): Promise<void> {
    const report = this.reports[index]!
    for (const { recordCount } of partitions) report.records += recordCount
    try {
      const { recordsAdded, changed } = await commitPart(this.#store, partitions)
      report.recordsAdded += recordsAdded
      for (const name of changed) this.#changedNow.add(name)
    } finally {
      for (const file of files) closeSync(file)
    }
  }

  async finish({ metadata, audits, ...end }: CaptureEnd, index: number): Promise<void> {
    this.reports[index]!.partitionsChanged = this.#changedNow.size
    for (const name of this.#changedNow) this.#changed.add(name)
    this.#changedNow = new Set()
    await storeAudits(this.#store.catalogue, audits)
    const told = new Set<string>()
    for (const batch of metadata) {
      const names = await storeMetadata(this.#store.catalogue, documentsIn(batch), this.#loadingMs)
      for (const name of names) told.add(name)
      collectGarbage(LOADING)
    }
    const report = Object.assign(this.reports[index]!, end, { metadata: told.size })
    // A document is read without telling how far it is.
    this.progressOf(index)({ fileBytes: report.bytes, records: report.messages })
  }
}

const newReport = (path: string): FileReport => ({
  file: path,
  bytes: statSync(path).size,
  lines: 0,
  messages: 0,
  documents: 0,
  recordsAdded: 0,
  records: 0,
  partitionsChanged: 0,
  metadata: 0,
  skipped: {},
  notes: {},
  rejected: 0,
  rejects: [],
  rejectFile: null,
  error: null,
  isCutOff: false,
})
