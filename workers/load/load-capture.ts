// Loads captures into a store, in the given order, with one reader or several. `backbook ingest` runs this in its own
// process, while a server may run too.

import { closeSync, statSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import { documentsIn } from '../capture/metadata-documents.ts'
import { collectGarbage, LOADING } from '../collect-garbage.ts'
import type { GivenNoPrices } from '../venues/no-prices.ts'
import type { CaptureEnd, CapturePart, LoadProgress, ReadOptions } from './capture-reading.ts'
import { commitPart } from './commit-part.ts'
import { type CaptureReader, loadInOrder } from './load-in-order.ts'
import { MARKETS_AT_ONCE } from './part-sink.ts'
import { readCapture } from './read-capture.ts'
import { storeAudits } from './store-audits.ts'
import { storeMetadata } from './store-metadata.ts'

/** Report on one capture. `metadata` is the number of distinct events and markets that it describes. */
export type FileReport = Omit<CaptureEnd, 'audits' | 'metadata'> & {
  file: string
  bytes: number
  /** Records that are new to the store. */
  recordsAdded: number
  /** Records of the capture, including those that were stored before. */
  records: number
  partitionsChanged: number
  metadata: number
}

export type LoadHooks = {
  /** Receives the totals over all captures. */
  onProgress?: LoadProgress | undefined
  marketsAtOnce?: number | undefined
  /** Time of loading, Unix ms; default: now. */
  loadingMs?: number | undefined
  /** The archive that the captures were made from; undefined for the user's own. */
  source?: string | undefined
  /** Same as in `ReadOptions`. */
  noPrices?: GivenNoPrices
  /** Receives the names of the market days that changed. Several captures may change the same day. */
  changed?: Set<string> | undefined
}

export type Reader = CaptureReader<Required<ReadOptions>, CapturePart, CaptureEnd>

/** Reads in this thread. Does not plan in advance: partitions are planned when they are committed. */
export const HERE: Reader = {
  read: ({ areNew: _, ...options }, offer) => readCapture(options, offer),
}

/** Loads one capture. `folder` is the data folder. Throws DataError if the store does; a fault of the file is in the
 *  report. */
export async function loadCapture(
  store: Store,
  folder: string,
  path: string,
  onProgress?: LoadProgress,
  marketsAtOnce?: number,
): Promise<FileReport> {
  return (await loadWith([HERE], store, folder, [path], { onProgress, marketsAtOnce }))[0]!
}

/** Loads captures. They are committed one after the other, however many readers there are. With several readers, no two
 *  of `paths` may be the same file, because both would write its rejects. */
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
  // With several readers, each may read one capture while its previous capture waits for its commit. Then no reader
  // waits for the commit of another reader's capture.
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
  /** Market days changed by the capture that is being committed. */
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
    const described = new Set<string>()
    for (const batch of metadata) {
      const names = await storeMetadata(this.#store.catalogue, documentsIn(batch), this.#loadingMs)
      for (const name of names) described.add(name)
      collectGarbage(LOADING)
    }
    const report = Object.assign(this.reports[index]!, end, { metadata: described.size })
    // Reading a document reports no progress, so report its end here.
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
