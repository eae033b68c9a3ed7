// Loads one capture file into the store: reads it to its end, then commits each of its partitions. This, not a task of
// the pool, is what `backbook ingest` runs: it is a process of its own, beside any server.

import { readFileSync, statSync } from 'node:fs'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { CaptureFeed } from './capture-feed.ts'
import { readCaptureLines, withoutByteOrderMark } from './capture-lines.ts'
import { type CapturePlacer, type CollectedCapture, closeFiles, LocalPlacer } from './capture-placer.ts'
import { bytesOf, type CollectedPartition } from './collected-partition.ts'
import { planCommit } from './commit-partition.ts'
import { LOADING } from './record-placer.ts'
import { type Reject, RejectFile } from './reject-file.ts'
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
): Promise<FileReport> {
  const load = new CaptureLoad(store, folder, path, (options) => new LocalPlacer(options))
  try {
    await load.read(onProgress)
    await load.collect()
    return load.commit()
  } finally {
    load.close()
  }
}

/** A capture on its way in, step by step. */
export class CaptureLoad {
  readonly #store: Store
  readonly #path: string
  readonly #feed: CaptureFeed
  readonly #placer: CapturePlacer
  readonly #rejects: RejectFile
  readonly #report: FileReport
  #line = 0
  /** Where the line being parsed lies, should it be rejected. */
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0
  #collected: CollectedCapture | undefined

  constructor(store: Store, folder: string, path: string, makePlacer: (options: CaptureOptions) => CapturePlacer) {
    this.#store = store
    this.#path = path
    this.#rejects = new RejectFile(folder, path)
    this.#placer = makePlacer({
      folder,
      loadingMs: Date.now(),
      isNew: (venue, market) => store.blocks.neighbour({ venue, market, date: '' }, 'after') === undefined,
      onReject: ({ line, reason, bytes }) => {
        this.#feed.counts.rejected++
        this.#reject(reason, line, bytes)
      },
    })
    this.#feed = new CaptureFeed(this.#placer, (reason, message) => {
      this.#reject(reason, this.#line, message ?? this.#bytes.subarray(this.#start, this.#end))
    })
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

  async read(onProgress: LoadProgress): Promise<void> {
    if (this.#path.endsWith('.json') && this.#readDocument()) return
    const reader = {
      line: (bytes: Uint8Array, start: number, end: number, number: number) => {
        this.#line = number
        this.#bytes = bytes
        this.#start = start
        this.#end = end
        this.#feed.line(bytes, start, end, number)
      },
      longLine: (head: Uint8Array, bytesMax: number, number: number) => {
        this.#line = number
        this.#setBytes(head)
        this.#feed.reject(`the line is longer than ${bytesMax} bytes; its first ${head.length} are kept`)
      },
      end: (lineCount: number) => {
        this.#report.lines = lineCount
      },
      room: () => this.#placer.room(),
    }
    try {
      await readCaptureLines(this.#path, reader, (fileBytes) => {
        onProgress({ fileBytes, records: this.#feed.counts.messages })
        // What few bytes inflate to without a message in it is let go nowhere else.
        collectGarbage(LOADING)
      })
    } catch (error) {
      // The store's disk is full: that is no fault of the capture.
      if (error instanceof DataError) throw error
      this.#report.error = `Cannot read ${this.#path} beyond line ${this.#line}: ${(error as Error).message}`
    }
  }

  /** Nothing follows: brings together what was placed. */
  async collect(): Promise<void> {
    this.#setBytes(new Uint8Array(0))
    this.#collected = await this.#placer.collect()
  }

  /** Commits what was collected. */
  commit(): FileReport {
    const collected = this.#collected!
    const partitions = collected.markets.flatMap((market) => market.partitions)
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
    this.#putMetadata()
    const { messages, skipped, rejected } = this.#feed.counts
    const rejectFile = this.#rejects.isUsed ? this.#rejects.path : null
    return { ...this.#report, messages, skipped, rejected, rejectFile }
  }

  /** To be called however the load ended. */
  close(): void {
    if (this.#collected === undefined) this.#placer.abandon()
    else closeFiles(this.#collected.files)
    this.#rejects.close()
  }

  // A file that is one JSON document, as REST answers are saved; one that is not may still be lines.
  #readDocument(): boolean {
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
    this.#feed.document(bytes)
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
        const before = blocks.head(partition.key)?.recordCount ?? 0
        planCommit(blocks, partition).forEach((change, i) => {
          apply(change)
          this.#report.partitionsChanged++
          if (i === 0) this.#report.recordsAdded += change.head.recordCount - before
        })
        partition.blocks.length = 0
        partition.replayed = null
        collectGarbage(LOADING)
      }
    })
  }

  #putMetadata(): void {
    const { metadataDocuments } = this.#feed
    storeMetadata(this.#store.blocks, metadataDocuments)
    this.#report.metadata = metadataDocuments.length
  }
}
