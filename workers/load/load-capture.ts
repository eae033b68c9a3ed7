// Loads one capture file into the store: reads it to its end, then commits each of its partitions. This, not a task of
// the pool, is what `backbook ingest` runs: it is a process of its own, beside any server.

import { closeSync, readFileSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { CaptureFeed } from '../capture/capture-feed.ts'
import { readCaptureLines, withoutByteOrderMark } from '../capture/capture-lines.ts'
import { type Reject, RejectFile } from '../capture/reject-file.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { bytesOf, type CollectedPartition } from '../partition/collected-partition.ts'
import { planCommit } from '../partition/commit-partition.ts'
import { CapturePart, MARKETS_AT_ONCE } from './capture-part.ts'
import { type CapturePlacer, LocalPlacer } from './capture-placer.ts'
import type { MarketBundle } from './market-spill.ts'
import { LOADING } from './record-router.ts'
import { storeMetadata } from './store-metadata.ts'
import type { CaptureOptions } from './threaded-placer.ts'

export type FileReport = {
  file: string
  bytes: number
  lines: number
  messages: number
  /** Records that the store did not have before. */
  recordsAdded: number
  /** Records of the capture, those stored before included. */
  records: number
  partitionsChanged: number
  metadata: number
  skipped: Record<string, number>
  rejected: number
  /** The first of them by their lines; all are in `rejectFile`. */
  rejects: Reject[]
  rejectFile: string | null
  /** Why the file could not be read to its end; what came before is loaded. */
  error: string | null
}

export type LoadProgress = (progress: { fileBytes: number; records: number }) => void

const REJECTS_REPORTED_MAX = 20
const TRANSACTION_BYTES_MAX = 16 << 20
const TRANSACTION_PARTITIONS_MAX = 1_000
const DOCUMENT_BYTES_MAX = 256 << 20

/** `folder` is the data folder. Throws DataError where the store does; a fault of the file is in the report. */
export async function loadCapture(
  store: Store,
  folder: string,
  path: string,
  onProgress: LoadProgress,
  marketsAtOnce?: number,
): Promise<FileReport> {
  const load = new CaptureLoad(store, folder, path, (options) => new LocalPlacer(options), marketsAtOnce)
  try {
    while (load.hasMore) {
      const part = await load.read(onProgress)
      await part.collect()
      load.commit(part)
    }
    return load.finish()
  } finally {
    load.close()
  }
}

/** A capture on its way in, part by part: as many markets as there is room for, then others. */
export class CaptureLoad {
  readonly #store: Store
  readonly #path: string
  readonly #options: CaptureOptions
  readonly #makePlacer: (options: CaptureOptions) => CapturePlacer
  readonly #marketsAtOnce: number
  readonly #rejects: RejectFile
  readonly #report: FileReport
  #line = 0
  /** Where the line being parsed lies, should it be rejected. */
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0
  #feed: CaptureFeed | undefined
  /** Parts that are not committed. */
  readonly #parts = new Set<CapturePart>()
  /** What had no room in the parts before, and the temporary files that it lies in. */
  #postponed: MarketBundle[] = []
  readonly #files: number[] = []

  constructor(
    store: Store,
    folder: string,
    path: string,
    makePlacer: (options: CaptureOptions) => CapturePlacer,
    marketsAtOnce = MARKETS_AT_ONCE,
  ) {
    this.#store = store
    this.#marketsAtOnce = marketsAtOnce
    this.#path = path
    this.#rejects = new RejectFile(folder, path)
    this.#makePlacer = makePlacer
    this.#options = {
      folder,
      loadingMs: Date.now(),
      isNew: (venue, market) => !store.blocks.hasMarket(venue, market),
      onReject: ({ line, reason, bytes }) => {
        this.#feed!.counts.rejected++
        this.#reject(reason, line, bytes)
      },
    }
    this.#report = {
      file: path,
      bytes: statSync(path).size,
      lines: 0,
      messages: 0,
      recordsAdded: 0,
      records: 0,
      partitionsChanged: 0,
      metadata: 0,
      skipped: {},
      rejected: 0,
      rejects: [],
      rejectFile: null,
      error: null,
    }
  }

  get hasMore(): boolean {
    return this.#feed === undefined || this.#postponed.length > 0
  }

  /** The next part, read and not yet collected: the one before must have been asked to collect. */
  async read(onProgress: LoadProgress): Promise<CapturePart> {
    const part = new CapturePart(this.#makePlacer(this.#options), this.#options.folder, this.#marketsAtOnce)
    this.#parts.add(part)
    if (this.#feed === undefined) await this.#readCapture(part, onProgress)
    else await this.#readBundles(part)
    const { bundles, file } = part.postponed()
    this.#postponed.unshift(...bundles)
    if (file !== undefined) this.#files.push(file)
    return part
  }

  /** Commits a part that is collected. */
  commit(part: CapturePart): void {
    const partitions = part.collected.flatMap((market) => market.partitions)
    for (const { recordCount } of partitions) this.#report.records += recordCount
    let batch: CollectedPartition[] = []
    let batchBytes = 0
    for (const partition of partitions) {
      batch.push(partition)
      batchBytes += bytesOf(partition)
      if (batchBytes < TRANSACTION_BYTES_MAX && batch.length < TRANSACTION_PARTITIONS_MAX) continue
      this.#commitBatch(batch)
      batch = []
      batchBytes = 0
    }
    this.#commitBatch(batch)
    part.close()
    this.#parts.delete(part)
  }

  /** To be called when all parts are committed. */
  finish(): FileReport {
    const { metadataDocuments, counts } = this.#feed!
    storeMetadata(this.#store.blocks, metadataDocuments)
    const { messages, skipped, rejected } = counts
    const rejectFile = this.#rejects.isUsed ? this.#rejects.path : null
    return { ...this.#report, metadata: metadataDocuments.length, messages, skipped, rejected, rejectFile }
  }

  /** To be called however the load ended. */
  close(): void {
    for (const part of this.#parts) part.close()
    for (const file of this.#files) closeSync(file)
    this.#rejects.close()
  }

  async #readCapture(part: CapturePart, onProgress: LoadProgress): Promise<void> {
    const feed = new CaptureFeed(part, (reason, message) => {
      this.#reject(reason, this.#line, message ?? this.#bytes.subarray(this.#start, this.#end))
    })
    this.#feed = feed
    if (!this.#path.endsWith('.json') || !this.#readDocument(feed)) await this.#readLines(feed, part, onProgress)
    // The last piece of the text is not needed any more.
    this.#setBytes(new Uint8Array(0))
  }

  /** As many as there is room for, one at least. */
  async #readBundles(part: CapturePart): Promise<void> {
    // What the store's library lets go of is freed by the event loop, which nothing else here goes back to.
    await setImmediate()
    let marketCount = 0
    do {
      const bundle = this.#postponed.shift()!
      for (const _ of bundle.tell(part, marketCount)) {
        await part.room()
        collectGarbage(LOADING)
      }
      marketCount += bundle.marketCount
    } while (marketCount + (this.#postponed[0]?.marketCount ?? Number.POSITIVE_INFINITY) <= this.#marketsAtOnce)
  }

  async #readLines(feed: CaptureFeed, part: CapturePart, onProgress: LoadProgress): Promise<void> {
    const reader = {
      line: (bytes: Uint8Array, start: number, end: number, number: number) => {
        this.#line = number
        this.#bytes = bytes
        this.#start = start
        this.#end = end
        feed.line(bytes, start, end, number)
      },
      longLine: (head: Uint8Array, bytesMax: number, number: number) => {
        this.#line = number
        this.#setBytes(head)
        feed.reject(`the line is longer than ${bytesMax} bytes; its first ${head.length} are kept`)
      },
      end: (lineCount: number) => {
        this.#report.lines = lineCount
      },
      room: () => part.room(),
    }
    try {
      await readCaptureLines(this.#path, reader, (fileBytes) => {
        onProgress({ fileBytes, records: feed.counts.messages })
        // What few bytes inflate to without a message in it is let go nowhere else.
        collectGarbage(LOADING)
      })
    } catch (error) {
      // The store's disk is full: that is no fault of the capture.
      if (error instanceof DataError) throw error
      this.#report.error = `Cannot read ${this.#path} beyond line ${this.#line}: ${(error as Error).message}`
    }
  }

  // A file that is one JSON document, as REST answers are saved; one that is not may still be lines.
  #readDocument(feed: CaptureFeed): boolean {
    if (this.#report.bytes > DOCUMENT_BYTES_MAX) return false
    let bytes: Uint8Array
    try {
      bytes = withoutByteOrderMark(new Uint8Array(readFileSync(this.#path)))
      JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    } catch {
      return false
    }
    this.#line = 1
    this.#setBytes(bytes)
    feed.document(bytes)
    this.#report.lines = 1
    return true
  }

  #reject(reason: string, line: number, bytes: Uint8Array): void {
    const { rejects } = this.#report
    // Those of other threads come late, by chance: which are reported must not depend on it.
    const place = rejects.findLastIndex((reject) => reject.line <= line) + 1
    if (place < REJECTS_REPORTED_MAX) rejects.splice(place, 0, { file: this.#path, line, reason })
    rejects.length = Math.min(rejects.length, REJECTS_REPORTED_MAX)
    this.#rejects.add(line, reason, bytes)
  }

  #setBytes(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#start = 0
    this.#end = bytes.length
  }

  #commitBatch(batch: CollectedPartition[]): void {
    if (batch.length === 0) return
    const { blocks } = this.#store
    blocks.transaction((apply) => {
      for (const partition of batch) {
        for (const change of planCommit(blocks, partition)) {
          apply(change)
          this.#report.partitionsChanged++
          this.#report.recordsAdded += change.head.recordCount - (change.before?.recordCount ?? 0)
        }
        partition.blocks.length = 0
        partition.replayed = null
        collectGarbage(LOADING)
      }
    })
  }
}
