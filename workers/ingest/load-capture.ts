// Loads one capture file into the store: reads it to its end, then commits each of its partitions. This, not a task of
// the pool, is what `backbook ingest` runs: it is a process of its own, beside any server.

import { readFileSync, statSync } from 'node:fs'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { collectGarbage, type MemoryLimit } from '../collect-garbage.ts'
import { CaptureFeed } from './capture-feed.ts'
import { readCaptureLines, withoutByteOrderMark } from './capture-lines.ts'
import { planCommit } from './commit-partition.ts'
import type { PartitionBuffer } from './partition-buffer.ts'
import { type Reject, RejectFile } from './reject-file.ts'
import { SpillFile } from './spill-file.ts'
import { storeMetadata } from './store-metadata.ts'

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
  /** The first of them; all are in `rejectFile`. */
  rejects: Reject[]
  rejectFile: string | null
  /** Why the file could not be read to its end; what came before is loaded. */
  error: string | null
}

export type LoadProgress = (progress: { fileBytes: number; records: number }) => void

const OPEN_BYTES_MAX = 48 << 20
const CLOSED_BYTES_MAX = 32 << 20
/** Above this the garbage is collected at once, not when the engine comes to it: it is mostly spent columns. */
const LOADING: MemoryLimit = { residentBytes: 256 << 20, timeShare: 10 }
const RECORDS_BETWEEN_CHECKS = 8_192
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
  const load = new CaptureLoad(store, folder, path)
  try {
    await load.read(onProgress)
    return load.commit()
  } finally {
    load.close()
  }
}

class CaptureLoad {
  readonly #store: Store
  readonly #path: string
  readonly #feed: CaptureFeed
  readonly #rejects: RejectFile
  readonly #spill: SpillFile
  readonly #report: FileReport
  #line = 0
  /** Where the line being parsed lies, should it be rejected. */
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0
  #checkAt = RECORDS_BETWEEN_CHECKS

  constructor(store: Store, folder: string, path: string) {
    this.#store = store
    this.#path = path
    this.#rejects = new RejectFile(folder, path)
    this.#spill = new SpillFile(folder)
    this.#feed = new CaptureFeed(Date.now(), (reason, place) => this.#reject(reason, place))
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
        if (this.#feed.counts.messages >= this.#checkAt) this.#limitMemory()
      },
      longLine: (head: Uint8Array, number: number) => {
        this.#line = number
        this.#setBytes(head)
        this.#feed.reject(`the line is longer than ${head.length} bytes; its beginning is kept`)
      },
    }
    try {
      await readCaptureLines(this.#path, reader, (fileBytes) =>
        onProgress({ fileBytes, records: this.#feed.counts.messages }),
      )
    } catch (error) {
      // The store's disk is full: that is no fault of the capture.
      if (error instanceof DataError) throw error
      this.#report.error = `Cannot read ${this.#path} beyond line ${this.#line}: ${(error as Error).message}`
    }
    this.#report.lines = this.#line
  }

  commit(): FileReport {
    this.#setBytes(new Uint8Array(0))
    const buffers = this.#feed.finish()
    for (const buffer of buffers) this.#report.records += buffer.recordCount
    let batch: PartitionBuffer[] = []
    let batchBytes = 0
    for (const buffer of buffers) {
      batch.push(buffer)
      batchBytes += buffer.openBytes + buffer.closedBytes
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

  close(): void {
    this.#spill.close()
    this.#rejects.close()
  }

  // A file that is one JSON document, as REST answers are saved; one that is not may still be lines.
  #readDocument(): boolean {
    if (this.#report.bytes > DOCUMENT_BYTES_MAX) return false
    let bytes: Uint8Array
    try {
      bytes = withoutByteOrderMark(new Uint8Array(readFileSync(this.#path)))
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    } catch {
      return false
    }
    this.#line = 1
    this.#setBytes(bytes)
    this.#feed.document(bytes)
    this.#report.lines = 1
    return true
  }

  #reject(reason: string, place = this.#current()): void {
    const { rejects } = this.#report
    if (rejects.length < REJECTS_REPORTED_MAX) rejects.push({ file: this.#path, line: place.line, reason })
    this.#rejects.add(place.line, reason, place.bytes)
  }

  #current(): { line: number; bytes: Uint8Array } {
    return { line: this.#line, bytes: this.#bytes.subarray(this.#start, this.#end) }
  }

  #setBytes(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#start = 0
    this.#end = bytes.length
  }

  #commitBatch(batch: PartitionBuffer[]): void {
    if (batch.length === 0) return
    const { blocks } = this.#store
    blocks.transaction((apply) => {
      for (const buffer of batch) {
        const before = blocks.head(buffer.key)?.recordCount ?? 0
        planCommit(blocks, buffer).forEach((change, i) => {
          apply(change)
          this.#report.partitionsChanged++
          if (i === 0) this.#report.recordsAdded += change.head.recordCount - before
        })
        buffer.blocks.length = 0
        collectGarbage(LOADING)
      }
    })
  }

  #putMetadata(): void {
    const { metadataDocuments } = this.#feed
    storeMetadata(this.#store.blocks, metadataDocuments)
    this.#report.metadata = metadataDocuments.length
  }

  // Blocks that must be closed before they are full cost a second pass when their partition is committed, so the
  // buffers that have been at rest the longest go first: their market has most likely ended.
  #limitMemory(): void {
    this.#checkAt = this.#feed.counts.messages + RECORDS_BETWEEN_CHECKS
    const buffers = [...this.#feed.buffers()]
    let openBytes = buffers.reduce((sum, buffer) => sum + buffer.openBytes, 0)
    if (openBytes > OPEN_BYTES_MAX) {
      buffers.sort((a, b) => a.touchedAt - b.touchedAt)
      for (const buffer of buffers) {
        if (openBytes <= OPEN_BYTES_MAX / 2) break
        openBytes -= buffer.openBytes
        buffer.closeBlock()
      }
    }
    if (buffers.reduce((sum, buffer) => sum + buffer.closedBytes, 0) > CLOSED_BYTES_MAX) {
      for (const buffer of buffers) buffer.putAside((bytes) => this.#spill.write(bytes))
    }
    collectGarbage(LOADING)
  }
}
